package report

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// access is a step of a trace, or of a line of lockstep, as check writes it.
type access struct {
	Process                                           int
	File                                              string
	Line                                              int
	Label, Op, Register, Before, After, Section, Turn string
	Plain, Buffered                                   bool
	May                                               []string
}

// text says what an access does.
func (a access) text() string {
	text := ""
	switch a.Op {
	case "pass":
		text = "passes"
	case "call":
		text = "calls " + a.After
	case "poll":
		text = "giveUp() = " + a.After
	case "load":
		text = a.Register + " = " + a.Before
		if len(a.May) > 0 {
			text += " (overlaps a write: " + strings.Join(a.May, " or ") + ")"
		}
	case "store", "store-release":
		text = a.Register + " := " + a.After
		if a.Buffered {
			text += ", into the store buffer"
		}
	case "flush":
		text = a.Register + " := " + a.After + " is in memory"
	case "begin":
		text = a.Register + " := " + a.After + " begins"
	case "end":
		text = a.Register + " := " + a.Before + " ends"
		if a.After != a.Before {
			text += ", leaves " + a.After
		}
	default:
		text = a.Op + " " + a.Register + ": " + a.Before
		if a.After != a.Before {
			text += " → " + a.After
		}
	}
	if a.Plain {
		return "plain " + text
	}
	return text
}

// sets reports whether a register has what the access left there.
func (a access) sets() bool {
	switch a.Op {
	case "pass", "call", "poll", "load", "begin":
		return false
	case "compare-and-swap":
		return a.Before != a.After
	}
	return !a.Buffered
}

// turn is the access in the schedule that check -replay takes.
func (a access) turn() string {
	switch a.Op {
	case "flush":
		return fmt.Sprintf("%d:flush", a.Process)
	case "call", "poll":
		return fmt.Sprintf("%d:%s", a.Process, a.After)
	}
	return fmt.Sprint(a.Process)
}

// says is the sentence above the execution: what goes wrong in it.
func (t *trace) says() string {
	switch {
	case t.Property == "" || t.End == "":
		return t.End
	case t.Unclaimed:
		return "What can happen, as the lock does not claim " + t.Property + ": " + t.End + "."
	}
	return "What goes wrong: " + t.End + "."
}

func (a access) act() act {
	return act{By: a.Process, File: a.File, Line: a.Line, Label: a.Label, Text: a.text(), Section: a.Section, Turn: a.Turn, Buffer: a.Op == "flush"}
}

// origin is where the lock of a trace comes from.
type origin struct {
	Package, Constructor, List, Algorithm string
	Paths                                 [][]int
}

// named names a lock of a package by its constructor: "mylock/New" of ./mylock, and "New" of
// a path that ends in no name.
func (o origin) named() string {
	if name := path.Base(o.Package); !strings.HasPrefix(name, ".") {
		return name + "/" + o.Constructor
	}
	return o.Constructor
}

// trace is an execution as check writes it.
type trace struct {
	Property        string
	Bound           string
	Unclaimed       bool
	Origin          origin
	N               int
	Memory          string
	Model           string `json:"register_model"`
	Mixed, Unfenced bool
	End             string
	Steps           []access
	Cycle           int
	Code            []string
}

func (t *trace) ok() bool {
	return t.N > 0 && t.N <= mostColumns && len(t.Steps) <= mostSteps && t.Cycle >= -1 && t.Cycle < len(t.Steps) && (len(t.Steps) > 0 || t.Property != "") &&
		!slices.ContainsFunc(t.Steps, func(a access) bool { return a.Process < 0 || a.Process >= t.N })
}

// execution is what the viewer shows of a trace.
func (t *trace) execution() *Execution {
	name := cmp.Or(t.Origin.Algorithm, t.Origin.named())
	e := &Execution{Of: name, Columns: processes(t.N, "process"), Cycle: t.Cycle, Kind: "Registers", Cells: []cell{}, Steps: []step{}, Code: t.Code, Says: t.says()}
	on := fmt.Sprintf("n = %d", t.N)
	if t.Memory == "tso" {
		e.Under, on = "Store buffers", on+", total store order"
	}
	if t.Model != "" {
		on += ", " + t.Model + " registers"
	}
	if t.Mixed {
		on += ", all modes"
	}
	switch {
	case t.Bound != "":
		e.Title, e.ID = t.Bound+", "+on, t.Bound
	case t.Property == "":
		e.Title, e.ID = "as it is scheduled, "+on, "scheduled"
	case t.Unclaimed:
		e.Title = "without " + t.Property + ", which it does not claim, " + on
	default:
		e.Title = "against " + t.Property + ", " + on
	}
	e.ID = cmp.Or(e.ID, t.Property) + " " + on
	e.shows = fmt.Sprint(name, t.Property, t.Bound, t.Memory, t.Unfenced, t.Model, t.Mixed)
	sections := make([]string, t.N)
	pending := make([][]string, t.N)
	var turns strings.Builder
	for i, a := range t.Steps {
		s := step{Acts: []act{a.act()}}
		if a.Section == sections[a.Process] {
			s.Acts[0].Section = ""
		} else {
			sections[a.Process] = a.Section
		}
		if a.Register != "" {
			c := e.cellOf(a.Register, a.Before)
			if a.sets() {
				s.Sets = []set{{c, a.After, a.Process}}
			}
		}
		switch {
		case a.Buffered:
			pending[a.Process] = append(pending[a.Process], fmt.Sprintf("process %d: %s := %s", a.Process, a.Register, a.After))
		case a.Op == "flush" && len(pending[a.Process]) > 0:
			pending[a.Process] = pending[a.Process][1:]
		}
		s.Under = slices.Concat(pending...)
		e.Steps = append(e.Steps, s)
		switch {
		case i == t.Cycle:
			turns.WriteByte('/')
		case i > 0:
			turns.WriteByte(',')
		}
		turns.WriteString(a.turn())
	}
	e.Command, e.Note = t.command(turns.String())
	return e
}

var bare = regexp.MustCompile(`^[\w./=:,+-]+$`)

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if bare.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// command is what replays the trace on the compiled code.
func (t *trace) command(turns string) (command, note string) {
	if turns == "" {
		return "", "No process has accessed shared memory before."
	}
	words := []string{"shmbench", "check"}
	switch o := t.Origin; {
	case t.Model != "":
		return "", "A schedule is not replayed on registers that are not atomic: those of compiled Go are. check held this one against the compiled code with the values given that the reads return."
	case o.List == "":
		words = append(words, "-pkg", quoted(o.Package))
		if o.Constructor != "New" {
			words = append(words, "-new", quoted(o.Constructor))
		}
	case len(o.Paths) > 0:
		return "", "The processes are where -topology had them: check -trace writes this execution to a file, and check -replay runs the file."
	default:
		if o.Package == "shmbench/knownbroken" {
			words = append(words, "-known-broken")
		}
		words = append(words, "-alg", quoted("^"+regexp.QuoteMeta(o.Algorithm)+"$"))
	}
	words = append(words, "-procs", fmt.Sprint(t.N))
	if t.Unfenced {
		words = append(words, "-memory", "tso")
	}
	note = "It makes the same accesses on the compiled code."
	if t.Cycle >= 0 {
		note = "It makes the same accesses on the compiled code, and a hundred times those of the loop, which is what follows the /."
	}
	return strings.Join(append(words, "-replay", quoted(turns)), " "), note
}

// addTraces adds those of a report or a file of check's; false says that one cannot
// be used.
func (in *Input) addTraces(traces []trace) bool {
	all := true
	for i := range traces {
		if t := &traces[i]; t.ok() {
			in.addExecution(t.execution())
		} else {
			all = false
		}
	}
	return all
}
