package check

import (
	"fmt"
	"io"
	"slices"

	"shmbench/check/internal/spec"
	"shmbench/internal/cli/table"
	"shmbench/shm"
)

// writeReferences prints the remote memory references of passages beside the formulas of the
// specifications, where there are few reports. A lock that lacks what it must have is left out.
func (reports Table) writeReferences(w io.Writer) error {
	counted := func(r *Report) bool { return r.RMR != nil && len(r.Violated()) == 0 }
	if len(reports) > mostSentences || !slices.ContainsFunc(reports, counted) {
		return nil
	}
	fmt.Fprintln(w, "\nMost remote memory references in a passage (alone: uncontended):")
	t := table.New(w)
	fmt.Fprint(t, "lock\tn\t")
	for _, m := range shm.RMRModels {
		fmt.Fprintf(t, "%s\tclaimed\t", m)
	}
	fmt.Fprintln(t, "at least\tpublished growth")
	for _, r := range reports {
		if !counted(r) {
			continue
		}
		fmt.Fprintf(t, "%s\t%d\t", r.Algorithm, r.N)
		for _, m := range shm.RMRModels {
			fmt.Fprintf(t, "%s\t%s\t", r.RMR.In(m).text(), r.claimed(m))
		}
		published := "none cited"
		if r.spec != nil && r.spec.PublishedRMR != (shm.PublishedRMR{}) && r.spec.PublishedRMR.None == "" {
			published = r.spec.PublishedRMR.String()
		}
		fmt.Fprintf(t, "%s\t%s\n", leastReferences(r.class), published)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "at least: the growth that no lock with the same operations goes below (Attiya, Hendler and Woelfel, Tight RMR Lower Bounds for Mutual Exclusion, 2008)")
	return err
}

// leastReferences is the least growth of the references of a passage with some operations. Reads, writes and
// comparison primitives need a logarithm.
func leastReferences(c shm.Class) string {
	if c&^(shm.TestAndSet|shm.CompareAndSwap) == 0 {
		return "Ω(log n)"
	}
	return "Ω(1)"
}

// text is the cost of a process that runs alone, and of one among all.
func (c Cost) text() string {
	if c.Among == nil {
		return "?"
	}
	among := spec.Bound(*c.Among)
	if c.Alone == nil {
		return among
	}
	return fmt.Sprintf("%s (%s alone)", among, spec.Bound(*c.Alone))
}

// claimed is the formula of the specification in a model, or a dash.
func (r *Report) claimed(m shm.RMRModel) string {
	if r.spec == nil || r.spec.Claims.References.In(m) == nil {
		return "-"
	}
	return r.spec.Claims.References.In(m).String()
}
