package report

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Execution is steps of processes, or of nodes, to go through one by one.
type Execution struct {
	// ID names it in the fragment of the page's address.
	ID string `json:"id"`
	// Of is the lock, or algorithm, and Title what the execution is.
	Of    string `json:"of"`
	Title string `json:"title"`
	Says  string `json:"says,omitempty"`
	// Command replays it, and Note says what goes with the command, or why there is
	// none.
	Command string   `json:"command,omitempty"`
	Note    string   `json:"note,omitempty"`
	Columns []string `json:"columns"` // "process 0"
	// Cells are registers, or variables of nodes, which Kind says, with their first values.
	Kind  string `json:"kind"`
	Cells []cell `json:"cells"`
	Steps []step `json:"steps"`
	Cycle int    `json:"cycle"` // the first step of what goes round for ever, or -1
	// Under is what there is besides: "Store buffers", "Messages under way".
	Under string   `json:"under,omitempty"`
	Code  []string `json:"code,omitempty"` // places of functions, by which their texts are found

	shows string // what of, besides for how many processes
}

type (
	cell struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	// step is what is done at one time, by one or by several.
	step struct {
		Part  string   `json:"part,omitempty"` // that begins here: a round, a panel
		Acts  []act    `json:"acts"`
		Sets  []set    `json:"sets,omitempty"`
		Under []string `json:"under,omitempty"` // what is under way then
	}
	act struct {
		By      int    `json:"by"`
		File    string `json:"file,omitempty"`
		Line    int    `json:"line,omitempty"`
		Label   string `json:"label,omitempty"`
		Text    string `json:"text"`
		Section string `json:"section,omitempty"` // that it is in from then on
		Turn    string `json:"turn,omitempty"`
		Buffer  bool   `json:"buffer,omitempty"` // it is the store buffer that acts
	}
	set struct {
		Cell  int    `json:"cell"`
		Value string `json:"value"`
		By    int    `json:"by"`
	}
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

// trace is an execution as check writes it.
type trace struct {
	Property  string
	Unclaimed bool
	Origin    struct {
		Package, Constructor, List, Algorithm string
		Paths                                 [][]int
	}
	N               int
	Memory          string
	Model           string `json:"register_model"`
	Mixed, Unfenced bool
	End             string
	Steps           []access
	Cycle           int
	Code            []string
}

// most processes, or nodes, and steps, that an execution is shown with.
const (
	mostColumns = 64
	mostSteps   = 10_000
)

func processes(n int, word string) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("%s %d", word, i))
	}
	return names
}

// cellOf returns the number of a register, which has a value before it is met.
func (e *Execution) cellOf(name, before string) int {
	if i := slices.IndexFunc(e.Cells, func(c cell) bool { return c.Name == name }); i >= 0 {
		return i
	}
	e.Cells = append(e.Cells, cell{name, before})
	return len(e.Cells) - 1
}

func (t *trace) ok() bool {
	return t.N > 0 && t.N <= mostColumns && len(t.Steps) > 0 && len(t.Steps) <= mostSteps && t.Cycle >= -1 && t.Cycle < len(t.Steps) &&
		!slices.ContainsFunc(t.Steps, func(a access) bool { return a.Process < 0 || a.Process >= t.N })
}

// execution is what the viewer shows of a trace.
func (t *trace) execution() *Execution {
	name := cmp.Or(t.Origin.Algorithm, t.Origin.Package+"."+t.Origin.Constructor)
	e := &Execution{Of: name, Columns: processes(t.N, "process"), Cycle: t.Cycle, Kind: "Registers", Cells: []cell{}, Code: t.Code, Says: t.End}
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
	case t.Property == "":
		e.Title, e.ID = "as it is scheduled, "+on, "scheduled"
	case t.Unclaimed:
		e.Title = "without " + t.Property + ", which it does not claim, " + on
	default:
		e.Title = "against " + t.Property + ", " + on
	}
	e.ID = cmp.Or(e.ID, t.Property) + " " + on
	e.shows = fmt.Sprint(name, t.Property, t.Memory, t.Unfenced, t.Model, t.Mixed)
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

func (a access) act() act {
	return act{By: a.Process, File: a.File, Line: a.Line, Label: a.Label, Text: a.text(), Section: a.Section, Turn: a.Turn, Buffer: a.Op == "flush"}
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
		if o.Package == "shmbench/exhibits" {
			words = append(words, "-exhibits")
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

// lockstep is what lockstep -json writes.
type lockstep struct {
	Algorithm string
	N         int
	Entries   []int
	Rounds    []struct {
		Round int
		Steps [][]struct {
			Process     int
			Label, Does string
			Accesses    []access
		}
	}
	Code []string
}

func (l *lockstep) execution() *Execution {
	e := &Execution{Of: l.Algorithm, Title: fmt.Sprintf("in lockstep, n = %d", l.N), Columns: processes(l.N, "process"), Cycle: -1, Kind: "Registers", Cells: []cell{}, Code: l.Code,
		Says: "Each process executes one line at a time, all at the same time. They enter in the order " + strings.Trim(strings.ReplaceAll(fmt.Sprint(l.Entries), " ", ", "), "[]") + ".",
		Note: "shmbench lockstep runs it again, on the source."}
	for _, r := range l.Rounds {
		for i, lines := range r.Steps {
			s := step{}
			if i == 0 {
				s.Part = fmt.Sprintf("round %d", r.Round)
			}
			for _, line := range lines {
				var texts []string
				out := act{By: line.Process, Label: line.Label, Turn: line.Does}
				for _, a := range line.Accesses {
					texts = append(texts, a.text())
					out.File, out.Line, out.Section = a.File, a.Line, a.Section
					if a.Register == "" {
						continue
					}
					if c := e.cellOf(a.Register, a.Before); a.sets() {
						s.Sets = append(s.Sets, set{c, a.After, a.Process})
					}
				}
				out.Text = strings.Join(texts, ", ")
				s.Acts = append(s.Acts, out)
			}
			e.Steps = append(e.Steps, s)
		}
	}
	return e
}

func (l *lockstep) ok() bool {
	steps := 0
	for _, r := range l.Rounds {
		for _, lines := range r.Steps {
			steps++
			for _, line := range lines {
				if line.Process < 0 || line.Process >= l.N || slices.ContainsFunc(line.Accesses, func(a access) bool { return a.Process < 0 || a.Process >= l.N }) {
					return false
				}
			}
		}
	}
	return l.N > 0 && l.N <= mostColumns && steps > 0 && steps <= mostSteps
}

// sort puts the cells in the order of their names, numbers in them by value.
func (e *Execution) sort() {
	order := make([]int, len(e.Cells))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return byNumber(e.Cells[a].Name, e.Cells[b].Name) })
	place, cells := make([]int, len(order)), make([]cell, len(order))
	for to, from := range order {
		place[from], cells[to] = to, e.Cells[from]
	}
	e.Cells = cells
	for _, s := range e.Steps {
		for i := range s.Sets {
			s.Sets[i].Cell = place[s.Sets[i].Cell]
		}
	}
}

var digits = regexp.MustCompile(`[0-9]+`)

// byNumber compares names with numbers in them.
func byNumber(a, b string) int {
	key := func(name string) string {
		return digits.ReplaceAllStringFunc(name, func(n string) string { return fmt.Sprintf("%9s", n) })
	}
	return cmp.Compare(key(a), key(b))
}

// addExecution adds e under an ID of its own, made of the one that it has or of its
// title.
func (in *Input) addExecution(e *Execution) {
	e.sort()
	id := strings.Trim(notWord.ReplaceAllString(e.Of+"-"+cmp.Or(e.ID, e.Title), "-"), "-")
	e.ID = id
	for k := 2; slices.ContainsFunc(in.Executions, func(o *Execution) bool { return o.ID == e.ID }); k++ {
		e.ID = fmt.Sprintf("%s-%d", id, k)
	}
	in.Executions = append(in.Executions, e)
}

var notWord = regexp.MustCompile(`[^\w]+`)

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

// addSteps adds an entry of a document that has executions; known: the format is one.
func (in *Input) addSteps(format string, entry json.RawMessage) (ok, known bool) {
	switch format {
	case "shmbench check -trace 1":
		var t trace
		ok := json.Unmarshal(entry, &t) == nil && in.addTraces([]trace{t})
		return ok, true
	case "shmbench lockstep 1":
		var l lockstep
		if json.Unmarshal(entry, &l) != nil || !l.ok() {
			return false, true
		}
		in.addExecution(l.execution())
		return true, true
	case "shmbench dist replay 1", "shmbench dist explore 1":
		var d played
		if json.Unmarshal(entry, &d) != nil {
			return false, true
		}
		return in.addPlayed(&d), true
	}
	return false, false
}

//go:embed steps.html
var stepsText string

//go:embed steps.css
var stepsCSS string

//go:embed steps.js
var stepsJS string

// steps is the data of the viewer, as the page has it.
type steps struct {
	Executions []*Execution      `json:"executions"`
	Sources    map[string]string `json:"sources"`
}

// shown are the executions without those of checks that show of a lock what one of
// fewer processes shows, too.
func (in *Input) shown() []*Execution {
	least := map[string]*Execution{}
	for _, c := range in.Checks {
		for _, e := range c.executions {
			if l := least[e.shows]; l == nil || len(e.Columns) < len(l.Columns) {
				least[e.shows] = e
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(in.Executions), func(e *Execution) bool { return least[e.shows] != nil && least[e.shows] != e })
}

// steps is of the functions what some execution shows.
func (in *Input) steps(of []*Execution) steps {
	s := steps{append([]*Execution{}, of...), map[string]string{}}
	for _, e := range of {
		e.Code = slices.DeleteFunc(slices.Clone(e.Code), func(place string) bool { return in.Sources[place] == "" })
		slices.SortFunc(e.Code, byNumber)
		for _, place := range e.Code {
			s.Sources[place] = in.Sources[place]
		}
	}
	return s
}

var stepsPage = template.Must(template.Must(template.New("steps").Parse(stepsText)).Parse(`{{template "alone" .}}`))

// WriteSteps writes a page of the executions alone.
func (in *Input) WriteSteps(w io.Writer) error {
	of := map[string]bool{}
	for _, e := range in.Executions {
		of[e.Of] = true
	}
	title := "executions"
	if len(of) == 1 {
		title = slices.Collect(maps.Keys(of))[0]
	}
	return stepsPage.Execute(w, struct {
		CSS        template.CSS
		JS         template.JS
		Title      string
		Executions []*Execution
		Steps      steps
	}{template.CSS(colours() + stepsCSS), template.JS(stepsJS), title, in.Executions, in.steps(in.Executions)})
}

// colours is the part of the page's style that all pages have: what comes before the
// first blank line.
func colours() string {
	before, _, _ := strings.Cut(pageCSS, "\nheader")
	return before + "\n"
}
