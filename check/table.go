package check

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"shmbench/check/internal/verdict"
	"shmbench/internal/cli/table"
	"shmbench/shm"
)

// Table is reports side by side.
type Table []*Report

// WriteText prints the verdict on each lock in a sentence, where there are few, and a line
// for each report: what was proved, and what is wrong.
func (reports Table) WriteText(w io.Writer) error {
	reports.writeSentences(w)
	if reports.crashed() {
		return reports.writeCrashes(w)
	}
	if len(reports) > 0 && reports[0].SafetyOnly {
		return reports.writeSafety(w)
	}
	t := table.New(w)
	bounds := map[Verdict]string{}
	fmt.Fprintln(t, "lock\tn\tpassages\tstates\texclusion\tdeadlock\tstarved\tbypass\tFCFS\texit\tinvariants\tclass\tregisters\tspecification")
	for _, r := range reports {
		if r.Refused != "" {
			fmt.Fprintf(t, "%s\t%d\t\t\tundecided: %s\n", r.Algorithm+r.inAllModes(), r.N, r.Refused)
			continue
		}
		cells := []string{r.Algorithm + r.inAllModes(), fmt.Sprint(r.N), r.passages(), r.Visited()}
		cells = append(append(cells, r.claims()...), r.Class, r.space(), r.agreement())
		fmt.Fprintln(t, strings.Join(cells, "\t"))
		if v := r.holds(); v.Bounded() {
			bounds[v] = ""
			if r.Passages > 0 && r.Passages < MaxPassages {
				bounds[v] = fmt.Sprintf(" -passages %d explores more.", r.Passages+1)
			}
		}
	}
	if err := reports.writeModes(w, t); err != nil {
		return err
	}
	reports.writeNames(t, "Of one automaton with the lock above, line by line, and so of one verdict", func(r *Report) bool { return r.SharedWith != "" })
	reports.writeNames(t, "Under total store order, with the stores that are released in store buffers",
		func(r *Report) bool { return r.Memory == "tso" && !r.Unfenced })
	fmt.Fprintln(t, reports.seconds())
	for _, v := range slices.Sorted(maps.Keys(bounds)) {
		fmt.Fprintf(t, "%q is short for %q: nothing is proved of more.%s\n", v.yes(), v, bounds[v])
	}
	for _, r := range reports {
		if r.Replay != nil && r.Replay.Omitted != "" {
			fmt.Fprintf(t, "%s, n = %d: not checked against the compiled code: %s\n", r.Algorithm, r.N, r.Replay.Omitted)
		}
	}
	reports.writeOverflows(t)
	if err := t.Flush(); err != nil {
		return err
	}
	if err := reports.writeReferences(w); err != nil {
		return err
	}
	return reports.writeCosts(w)
}

// inAllModes is what distinguishes the report of mixed passages from the other.
func (r *Report) inAllModes() string {
	if r.Modes == nil {
		return ""
	}
	return " (all modes)"
}

// writeModes ends a table and prints, for each report of mixed passages, what was
// decided of modes.
func (reports Table) writeModes(w io.Writer, before interface{ Flush() error }) error {
	if !slices.ContainsFunc(reports, func(r *Report) bool { return r.Modes != nil }) {
		return nil
	}
	if err := before.Flush(); err != nil {
		return err
	}
	t := table.New(w, "\nin all modes", "n", "readers together", "readers starved", "readers' bypass", "readers concurrent", "failure without effect", "TryLock bounded", "TryLock strong", "giving up bounded")
	for _, r := range reports {
		m := r.Modes
		if m == nil || r.Refused != "" {
			continue
		}
		fmt.Fprintln(t, strings.Join(append([]string{r.Algorithm, fmt.Sprint(r.N)}, r.modeClaims()...), "\t"))
	}
	fmt.Fprintln(t)
	return t.Flush()
}

// seconds says how long all of it took, and what for.
func (reports Table) seconds() string {
	var sum Seconds
	for _, r := range reports {
		sum.Learning += r.Seconds.Learning
		sum.Exploring += r.Seconds.Exploring
		sum.Analysing += r.Seconds.Analysing
		sum.Replaying += r.Seconds.Replaying
	}
	return fmt.Sprintf("It took %.2f s to learn the automata, %.2f s to explore, %.2f s to analyze and %.2f s to replay on the compiled code.",
		sum.Learning, sum.Exploring, sum.Analysing, sum.Replaying)
}

// writeNames prints a line with the names of those locks that a report of them is for.
func (reports Table) writeNames(w io.Writer, line string, is func(*Report) bool) {
	var names []string
	for _, r := range reports {
		if is(r) && !slices.Contains(names, r.Algorithm) {
			names = append(names, r.Algorithm)
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(w, "%s: %s.\n", line, verdict.List(names))
	}
}

func (r *Report) passages() string {
	if r.Passages == 0 {
		return "any"
	}
	return fmt.Sprint(r.Passages)
}

// Visited returns the number of states that were visited, and says if there are more.
func (r *Report) Visited() string {
	if !r.Exhausted {
		return fmt.Sprintf("%d, not all", r.States)
	}
	return fmt.Sprint(r.States)
}

// space is the registers as "2 want:2": two of them with two values each.
func (r *Report) space() string {
	var kinds []string
	for _, k := range r.Registers {
		values := fmt.Sprint(k.Values)
		if k.Unbounded {
			values = "unbounded"
		}
		kinds = append(kinds, fmt.Sprintf("%d %s:%s", k.Count, k.Name, values))
	}
	return strings.Join(kinds, " + ")
}

func (r *Report) agreement() string {
	if r.spec == nil || r.Unfenced || r.weak() && r.spec.Claims.Weakest == (shm.Weakest{}) && len(r.Disagreements) == 0 {
		return "none"
	}
	switch {
	case len(r.Disagreements) > 0:
		return "DISAGREES"
	case r.SafetyOnly:
		return "not compared"
	case len(r.Undecided) > 0:
		return "undecided"
	}
	return "agrees"
}

// WriteText prints what a line of a Table does not say: where the lock and its
// specification differ, which stores need their
// fence, and the counterexamples unless the specification says that there must be some. The
// counterexamples come first if the lock lacks what it must have, because the differences follow from that.
func (r *Report) WriteText(w io.Writer) error {
	write := []func(io.Writer) error{r.writeDifferences, r.writeCounterexamples}
	if len(r.Violated()) > 0 {
		slices.Reverse(write)
	}
	for _, part := range write {
		if err := part(w); err != nil {
			return err
		}
	}
	return nil
}

// writeDifferences prints where the lock differs from its specification, what is not decided, and the
// stores that need their fence.
func (r *Report) writeDifferences(w io.Writer) error {
	for _, why := range r.NotCalled {
		fmt.Fprintf(w, "\n%s, n = %d: not checked: %s\n", r.Algorithm, r.N, why)
	}
	if len(r.Disagreements) > 0 {
		fmt.Fprintln(w)
	}
	for _, d := range r.Disagreements {
		fmt.Fprintf(w, "%s, n = %d: %s\n", r.Algorithm, r.N, d)
	}
	for _, u := range r.Undecided {
		fmt.Fprintf(w, "\n%s, n = %d: not decided: %s\n", r.Algorithm, r.N, u)
	}
	if err := r.writeWitnesses(w); err != nil {
		return err
	}
	if r.Fences != nil {
		if err := r.writeFences(w); err != nil {
			return err
		}
	}
	return nil
}

// writeCounterexamples prints the counterexamples, unless the specification says that there must be some.
func (r *Report) writeCounterexamples(w io.Writer) error {
	if r.spec != nil && !r.Unfenced && !r.weak() && r.claimsRecovery() && len(r.Disagreements) == 0 {
		return nil
	}
	for _, t := range r.Counterexamples {
		if r.Crashes != nil && !r.Crashes.Recovers && t.Unclaimed {
			continue
		}
		if r.weak() && t.Property != verdict.MutualExclusion && t.Property != verdict.DeadlockFreedom && t.Property != verdict.StarvationFreedom {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s", t); err != nil {
			return err
		}
	}
	return nil
}

// upTo says that a bound on buffers was reached.
func upTo(k int) string {
	if k == 0 {
		return ""
	}
	return ", " + counted("up to", k, "buffered store")
}

func (r *Report) writeFences(w io.Writer) error {
	f, t := r.Fences, table.New(w)
	fmt.Fprintf(t, "\n%s, n = %d: stores under total store order\n", r.Algorithm, r.N)
	for i, s := range f.Stores {
		need := "is not needed" + upTo(s.UpTo)
		if s.Needed {
			need = "is needed for " + s.Loses
		}
		together := ""
		if slices.Contains(f.Removable, i) {
			together = "can go together with the others marked so" + upTo(f.UpTo)
		}
		fmt.Fprintf(t, "  line %s\t%s:%d\tthe fence %s\t%s\n", s.Label, s.File, s.Line, need, together)
	}
	return t.Flush()
}

// Results is the table "Mutex results using R/W". For each condition on liveness it has the
// locks of plain reads and writes that were proved to meet this
// condition and no stronger one. It also has the space that they take.
type Results []*Report

// WriteText prints the table.
func (reports Results) WriteText(w io.Writer) error {
	last := map[string]*Report{}
	var order []string
	for _, r := range reports {
		if r.spec != nil && r.spec.VariantOf != "" || r.Refused != "" || !r.Exhausted || r.Class != shm.ReadWrite.String() || !r.MutualExclusion.Holds() {
			continue
		}
		if last[r.Algorithm] == nil {
			order = append(order, r.Algorithm)
		}
		last[r.Algorithm] = r
	}
	if len(order) == 0 {
		return nil
	}
	t := table.New(w, "Mutex results using read/write registers\nliveness", "lock", "n", "space", "at least", "bypass", "FCFS")
	for _, condition := range []string{"deadlock-free", "starvation-free", "bounded waiting"} {
		for _, name := range order {
			if r := last[name]; r.condition() == condition {
				fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t%s\t%s\n", condition, name, r.N, r.space(), fmt.Sprintf("%d registers", r.N), r.bypass(), r.FCFS.yes())
			}
		}
	}
	fmt.Fprintln(t, "at least: each deadlock-free read/write lock needs n registers (Burns and Lynch, Bounds on Shared Memory for Mutual Exclusion, 1993)")
	return t.Flush()
}

// condition is the strongest of the three conditions on liveness that holds.
func (r *Report) condition() string {
	switch {
	case !r.DeadlockFreedom.Holds():
		return ""
	case !r.StarvationFreedom.Holds():
		return "deadlock-free"
	case *r.Bypass == shm.Unbounded:
		return "starvation-free"
	}
	return "bounded waiting"
}
