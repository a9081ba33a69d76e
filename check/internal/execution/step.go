package execution

import (
	"fmt"
	"strings"

	"shmbench/check/internal/explore"
)

// Flush is the Op of a step in which a store reaches memory.
const Flush = "flush"

// Step is one access to shared memory by one process. If its Op is "flush", it is the arrival
// in memory of the oldest store in the process's buffer. If its Op is "call" or "poll", the
// step accesses nothing: the process decides which call it makes, or what its giveUp returns.
// After has the decision.
type Step struct {
	Process int    `json:"process"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Label   string `json:"label,omitempty"` // of the pseudo-code line
	Op      string `json:"op"`
	Plain   bool   `json:"plain,omitempty"` // not through sync/atomic
	// Buffered: what is stored is in the process's store buffer until a flush.
	Buffered bool `json:"buffered,omitempty"`
	// Register is the accessed register, by its name in the source. Before and After are its
	// values around the step. If a store goes into a buffer, After is its value. If the
	// beginning of a write is a step of its own, After is the value to
	// be written there. At the end of the write, Before is that value.
	Register string `json:"register,omitempty"`
	Before   string `json:"before"`
	After    string `json:"after"`
	// Outcome is the number of what a process decides.
	Outcome int `json:"outcome,omitempty"`
	// May has the values that a load may return that overlaps a write, the stored
	// one first.
	May []string `json:"may,omitempty"`
	// Section is the process's section after the step, and Turn what the step
	// does to it: "enters", "leaves", "is done", "fails"; empty if nothing.
	Section string `json:"section"`
	Turn    string `json:"turn,omitempty"`
}

// Actor is the number of the actor whose step it is.
func (s Step) Actor(all explore.Actors) int {
	switch s.Op {
	case CrashAll:
		return all.Number(explore.Actor{Kind: explore.CrashOf})
	case Crash:
		return all.Number(explore.Actor{Kind: explore.CrashOf, Pid: s.Process})
	case Flush:
		return all.Number(explore.Actor{Kind: explore.Buffer, Pid: s.Process})
	}
	return all.Number(explore.Actor{Pid: s.Process, Outcome: s.Outcome})
}

// Place is the file and line of the step. A section without an access has no line, so its
// step has no place.
func (s Step) Place() string {
	if s.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}

// What returns the text of a step in one table cell.
func (s Step) What() string {
	text := s.Effect("->")
	if s.crashes() {
		return text
	}
	if s.Label != "" {
		text = s.Label + "  " + text
	}
	if s.Turn != "" {
		text += " [" + s.Turn + "]"
	}
	return text
}

// Effect returns what a step does, without its label and its turn. The arrow stands between
// the values before and after an operation.
func (s Step) Effect(arrow string) string {
	if s.crashes() {
		return s.crashed()
	}
	var b strings.Builder
	if s.Plain {
		b.WriteString("plain ")
	}
	switch s.Op {
	case "pass":
		b.WriteString("passes")
	case "call":
		fmt.Fprintf(&b, "calls %s", s.After)
	case "poll":
		fmt.Fprintf(&b, "giveUp() = %s", s.After)
	case "load":
		fmt.Fprintf(&b, "%s = %s", s.Register, s.Before)
		if len(s.May) > 0 {
			fmt.Fprintf(&b, " (overlaps a write: %s)", strings.Join(s.May, " or "))
		}
	case ops[Begins]:
		fmt.Fprintf(&b, "%s := %s begins", s.Register, s.After)
	case ops[ends]:
		fmt.Fprintf(&b, "%s := %s ends", s.Register, s.Before)
		if s.After != s.Before {
			fmt.Fprintf(&b, ", leaves %s", s.After)
		}
	case "store", "store-release":
		fmt.Fprintf(&b, "%s := %s", s.Register, s.After)
	case Flush:
		fmt.Fprintf(&b, "%s := %s is in memory", s.Register, s.After)
	default:
		fmt.Fprintf(&b, "%s %s: %s", s.Op, s.Register, s.Before)
		if s.After != s.Before {
			fmt.Fprintf(&b, " %s %s", arrow, s.After)
		}
	}
	return b.String()
}

// Sets reports whether the step sets its register in memory to After.
func (s Step) Sets() bool {
	switch s.Op {
	case "pass", "call", "poll", "load", ops[Begins]:
		return false
	case "compare-and-swap":
		return s.Before != s.After
	}
	return !s.Buffered
}
