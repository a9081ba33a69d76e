package stress

import (
	"fmt"
	"io"
	"strings"
)

// WriteText writes the outcomes that occurred, a line each, and what is known of
// the first forbidden one.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s processes: %d passages, at least %d of them contended, in %d phases on %d locks, %.1f s\n",
		r.Algorithm, strings.Trim(fmt.Sprint(r.Procs), "[]"), r.Passages(), r.Contended, r.Phases, r.Strides, r.Seconds)
	for _, o := range r.Outcomes {
		if o.Count == 0 {
			continue
		}
		fmt.Fprintf(&b, "  %-11s %12d  %s\n", o.Grade, o.Count, o.Name)
		if o.First != "" && o.Grade != Acceptable {
			fmt.Fprintf(&b, "    %s\n", strings.ReplaceAll(o.First, "\n", "\n    "))
		}
	}
	if r.Found != nil {
		fmt.Fprintf(&b, "  found after %.2f s with n = %d, in stride %d of the plan of seed %d\n", r.Found.Seconds, r.Found.Procs, r.Found.Stride, r.Seed)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
