package check

import (
	"fmt"
	"io"
	"math/bits"

	"shmbench/check/internal/verdict"
)

// writeOverflows says, once for each lock, what it would lose if its growing words had few
// bits. The verdicts above are about words that do not overflow.
func (reports Table) writeOverflows(w io.Writer) {
	said := map[string]bool{}
	for _, r := range reports {
		if r.Overflow == nil || said[r.Algorithm] {
			continue
		}
		said[r.Algorithm] = true
		fmt.Fprintln(w, reports.overflow(r))
	}
}

// overflow is the sentence about the lock of r. Its words may have more bits with more
// processes; the sentence is about the fewest.
func (reports Table) overflow(r *Report) string {
	o := r.Overflow
	width := fmt.Sprintf("%d-bit", bits.Len(uint(o.Modulo-1)))
	if o.Omitted != "" {
		return fmt.Sprintf("%s, n = %d: with %s words instead of %s, no verdict: %s.", r.Algorithm, r.N, width, o.Words, o.Omitted)
	}
	var lost, kept []string
	for _, p := range []property{{verdict.MutualExclusion, &o.MutualExclusion}, {verdict.DeadlockFreedom, &o.DeadlockFreedom}, {verdict.StarvationFreedom, &o.StarvationFreedom}} {
		switch {
		case *p.v == Violated:
			lost = append(lost, p.name)
		case p.v.Holds():
			kept = append(kept, p.name)
		}
	}
	text := fmt.Sprintf("%s, n = %d: the verdict is about %s words that do not overflow. With %s words and any number of passages, ", r.Algorithm, r.N, o.Words, width)
	switch {
	case len(lost) > 0:
		return text + verdict.List(lost) + " would fail."
	case len(kept) > 0:
		return text + verdict.List(kept) + " would still hold."
	}
	return text + "nothing is decided."
}
