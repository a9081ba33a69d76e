package check

import (
	"fmt"
	"strconv"
	"strings"

	"shmbench/check/internal/execution"
	"shmbench/check/internal/verdict"
)

// Verdict is the answer to one question about a lock.
type Verdict string

// The verdicts. A property that holds has been proved for the report's n and memory model. If
// a bound on passages or on store buffers was reached, the verdict says so in its own words,
// after "holds": "holds within 2 passages", "holds up to 8 buffered stores". If the lock's
// compiled code could not run beside the model, the verdict ends with "not checked against
// the compiled code". Unknown means that the limits on states or memory were reached first.
const (
	Holds    Verdict = "holds"
	Violated Verdict = "violated"
	Unknown  Verdict = "unknown"
	// NoDoorway is the answer on order if a process may have to wait from
	// its first access on, and no specification says where doorways end.
	NoDoorway Verdict = "no doorway is known"
)

// notReplayed is the end of a verdict that was not checked against the compiled code.
const notReplayed = ", not checked against the compiled code"

// Holds reports whether the property holds, if only within a bound.
func (v Verdict) Holds() bool { return strings.HasPrefix(string(v), string(Holds)) }

// Bounded reports whether the property holds within a bound that was reached.
func (v Verdict) Bounded() bool { return v.Holds() && v != Holds }

// brief makes a bound short enough for a cell of a table.
var brief = strings.NewReplacer("holds ", "", " passages", "", " passage", "", " buffered stores", "", " buffered store", "", " and", ",", "with at most", "up to", "for runs without", "no")

// word is the verdict in a cell of a table.
func (v Verdict) word(holds, violated string) string {
	if held, ok := strings.CutSuffix(string(v), notReplayed); ok {
		return Verdict(held).word(holds, violated) + ", not replayed"
	}
	switch {
	case v.Bounded():
		return brief.Replace(string(v))
	case v == Holds:
		return holds
	case v == Violated:
		return violated
	case v == NoDoorway:
		return "no doorway"
	case v == OfLockAlone:
		return "-"
	}
	return "?"
}

func (v Verdict) safe() string { return v.word("yes", "BROKEN") }
func (v Verdict) free() string { return v.word("free", "DEADLOCK") }
func (v Verdict) yes() string  { return v.word("yes", "no") }
func (v Verdict) ends() string { return v.word("ends", "STUCK") }

// holds is the verdict on a property if no violation was found in any
// state within the report's bounds.
func (r *Report) holds() Verdict {
	return within(r.Passages, execution.Terms{BufferedStores: r.BufferedStores, Overflows: r.Overflows, Crashes: r.mostCrashes})
}

// within is the verdict on a property that holds within bounds, 0 for none, and if
// executions are cut off where a register overflows, in the others.
func within(passages int, t execution.Terms) Verdict {
	var bounds []string
	if passages > 0 {
		bounds = append(bounds, counted("within", passages, "passage"))
	}
	if t.BufferedStores > 0 {
		bounds = append(bounds, counted("up to", t.BufferedStores, "buffered store"))
	}
	if t.Crashes == 1 {
		bounds = append(bounds, "with at most 1 crash")
	} else if t.Crashes > 1 {
		bounds = append(bounds, fmt.Sprintf("with at most %d crashes", t.Crashes))
	}
	if t.Overflows {
		bounds = append(bounds, "for runs without overflow")
	}
	if bounds == nil {
		return Holds
	}
	return Holds + Verdict(" "+strings.Join(bounds, " and "))
}

func counted(how string, k int, what string) string {
	if k != 1 {
		what += "s"
	}
	return fmt.Sprintf("%s %d %s", how, k, what)
}

// Undecided is what is not decided, and why.
type Undecided struct {
	Properties []string `json:"properties"`
	// Why is "stopped after 3 states" or "holds within 2 passages only".
	Why string `json:"why"`
}

func (u Undecided) String() string { return verdict.List(u.Properties) + ": " + u.Why }

// undecided returns which of the properties that the lock must have, or that
// its specification claims, are unknown, or hold within a bound. Executions beyond a bound may
// differ, also if the user has set it.
func (r *Report) undecided() (open []Undecided) {
	properties := r.owed()
	switch {
	case r.Unfenced:
		properties = r.basics()
	case r.SafetyOnly:
		properties = r.safety()
	}
	stopped := Undecided{Why: fmt.Sprintf("stopped after %d states%s", r.States, r.upTo())}
	if r.stopped != "" {
		stopped.Why = r.stopped
	}
	switch {
	case r.openDeadlock != "":
		stopped.Why = r.openDeadlock
	case r.Exhausted && r.PanicFreedom == Violated:
		stopped.Why = "a process panics"
	case r.Exhausted && r.on(verdict.RecoverResult) == Violated:
		stopped.Why = "Recover returns an unknown outcome"
	}
	bounded := Undecided{Why: fmt.Sprintf("%s only%s", r.holds(), r.unexplored())}
	for _, p := range properties {
		switch {
		case *p.v == Unknown:
			stopped.Properties = append(stopped.Properties, p.name)
		case p.v.Bounded() && (r.BufferedStores > 0 || r.Passages > 0 || r.Overflows):
			bounded.Properties = append(bounded.Properties, p.name)
		}
	}
	for _, u := range []Undecided{stopped, bounded} {
		if len(u.Properties) > 0 {
			open = append(open, u)
		}
	}
	return open
}

// noteNotReplayed lets the verdicts say that they were not checked against the compiled
// code, if so, which leaves them undecided unless that was asked for.
func (r *Report) noteNotReplayed(asked bool) {
	if r.Replay == nil || r.Replay.Omitted == "" {
		return
	}
	u := Undecided{Why: notReplayed[2:] + ": " + r.Replay.Omitted}
	for _, p := range r.basics() {
		if p.v.Holds() {
			u.Properties = append(u.Properties, p.name)
		}
	}
	for _, p := range r.all() {
		if p.v.Holds() {
			*p.v += notReplayed
		}
	}
	if len(u.Properties) > 0 && !asked {
		r.Undecided = append(r.Undecided, u)
	}
}

// unexplored says which passages were not explored, and why.
func (r *Report) unexplored() string {
	if r.Passages == 0 {
		return ""
	}
	why := r.open
	var names []string
	for _, k := range r.Registers {
		if k.Unbounded {
			names = append(names, k.Name)
		}
	}
	switch {
	case why != "":
	case names != nil:
		why = "many values are written to " + verdict.List(names)
	case r.piling:
		why = "more and more memory that Lock or Unlock has allocated can be reached"
	}
	if why != "" {
		why = ": " + why
	}
	return fmt.Sprintf("%s; passages after the %s were not explored", why, ordinal(r.Passages))
}

// ordinal returns "1st" for 1.
func ordinal(k int) string {
	end := "th"
	if k/10%10 != 1 && k%10 >= 1 && k%10 <= 3 {
		end = [...]string{"st", "nd", "rd"}[k%10-1]
	}
	return strconv.Itoa(k) + end
}
