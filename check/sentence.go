package check

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"shmbench/check/internal/verdict"
)

// mostSentences is the most reports of a table that begins with a sentence for each. More
// sentences would hide the table.
const mostSentences = 8

func (reports Table) writeSentences(w io.Writer) {
	if len(reports) == 0 || len(reports) > mostSentences {
		return
	}
	for _, r := range reports {
		fmt.Fprintln(w, r.Sentence())
	}
	fmt.Fprintln(w)
}

// Sentence is the verdict in words: "tas/tas is correct for n = 2: mutual exclusion and
// deadlock freedom hold; any process can starve."
func (r *Report) Sentence() string {
	about := fmt.Sprintf("for n = %d%s: ", r.N, r.where())
	name := r.Algorithm + r.inAllModes()
	switch {
	case r.Refused != "":
		return fmt.Sprintf("%s is undecided %s%s.", name, about, r.Refused)
	case len(r.wrong()) > 0:
		return fmt.Sprintf("%s is wrong %s%s.", name, about, strings.Join(r.wrong(), "; "))
	case len(r.Undecided) > 0:
		return fmt.Sprintf("%s is undecided %s%s.", name, about, r.reasons())
	}
	correct := "correct"
	if r.SafetyOnly {
		correct = "safe"
	}
	return fmt.Sprintf("%s is %s %s%s%s.", name, correct, about, r.held(), r.starving())
}

// where names the memory, if it is not sequentially consistent, and the registers, if
// they are not atomic.
func (r *Report) where() string {
	switch {
	case r.Crashes != nil:
		return " under crashes (" + r.Crashes.Crashes + ")"
	case r.weak():
		return fmt.Sprintf(" on %s registers", r.RegisterModel)
	case r.Unfenced:
		return " under total store order, without fences"
	case r.Memory == "tso":
		return " under total store order"
	}
	return ""
}

// wrong lists the violated properties that the lock must have. If it has them all, it lists the differences
// from the specification. For a lock that does not exclude, only a panic matters beside, because its trace is printed too.
func (r *Report) wrong() []string {
	if r.MutualExclusion == Violated {
		wrong := []string{verdict.MutualExclusion + " is violated"}
		if r.PanicFreedom == Violated {
			wrong = append(wrong, verdict.PanicFreedom+" is violated")
		}
		return wrong
	}
	var wrong []string
	for _, name := range r.Violated() {
		wrong = append(wrong, name+" is violated")
	}
	if len(wrong) == 0 {
		return r.Disagreements
	}
	return wrong
}

// reasons are why something is undecided.
func (r *Report) reasons() string {
	var reasons []string
	for _, u := range r.Undecided {
		reasons = append(reasons, u.Why)
	}
	return strings.Join(slices.Compact(reasons), "; ")
}

// held names the properties that hold.
func (r *Report) held() string {
	var names []string
	for _, p := range []property{
		{verdict.MutualExclusion, &r.MutualExclusion}, {verdict.DeadlockFreedom, &r.DeadlockFreedom},
		{verdict.StarvationFreedom, &r.StarvationFreedom}, {verdict.FirstComeFirstServed, &r.FCFS},
	} {
		if p.v.Holds() {
			names = append(names, p.name)
		}
	}
	switch len(names) {
	case 0:
		return "it does what it must"
	case 1:
		return names[0] + " holds"
	}
	return verdict.List(names) + " hold"
}

// starving says which processes can starve.
func (r *Report) starving() string {
	switch {
	case len(r.Starved) == 0:
		return ""
	case len(r.Starved) == r.N:
		return "; any process can starve"
	}
	return "; " + processes(r.Starved) + " can starve"
}
