// Package steps shows executions, of processes or of nodes: a page on which a reader steps through
// them.
package steps

import (
	"cmp"
	"fmt"
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
	Cells []Cell `json:"cells"`
	Steps []Step `json:"steps"`
	Cycle int    `json:"cycle"` // the first step of what goes round forever, or -1
	// Under is what there is besides: "Store buffers", "Messages under way".
	Under string   `json:"under,omitempty"`
	Code  []string `json:"code,omitempty"` // places of functions, by which their texts are found

	// Shows says what the execution shows of its lock. Those of other numbers of processes show
	// the same.
	Shows string `json:"-"`
}

type (
	// Cell is a register, or a variable of a node, with its first value.
	Cell struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	// Step is what is done at one time, by one or by several.
	Step struct {
		Part  string   `json:"part,omitempty"` // that begins here: a round, a panel
		Acts  []Act    `json:"acts"`
		Sets  []Set    `json:"sets,omitempty"`
		Under []string `json:"under,omitempty"` // what is under way then
	}
	// Act is what process or node By does.
	Act struct {
		By      int    `json:"by"`
		File    string `json:"file,omitempty"`
		Line    int    `json:"line,omitempty"`
		Label   string `json:"label,omitempty"`
		Text    string `json:"text"`
		Section string `json:"section,omitempty"` // that it is in from then on
		Turn    string `json:"turn,omitempty"`
		Buffer  bool   `json:"buffer,omitempty"` // it is the store buffer that acts
	}
	// Set is a new value of a cell.
	Set struct {
		Cell  int    `json:"cell"`
		Value string `json:"value"`
		By    int    `json:"by"`
	}
)

// The most processes, or nodes, and the most steps that an execution is shown with.
const (
	MostColumns = 64
	MostSteps   = 10_000
)

// Columns returns the heads of n columns: "process 0", "process 1".
func Columns(n int, word string) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("%s %d", word, i))
	}
	return names
}

// CellOf returns the index of the cell with a name. A new cell begins with the value before.
func (e *Execution) CellOf(name, before string) int {
	if i := slices.IndexFunc(e.Cells, func(c Cell) bool { return c.Name == name }); i >= 0 {
		return i
	}
	e.Cells = append(e.Cells, Cell{name, before})
	return len(e.Cells) - 1
}

// sort puts the cells in the order of their names, numbers in them by value.
func (e *Execution) sort() {
	order := make([]int, len(e.Cells))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return ByNumber(e.Cells[a].Name, e.Cells[b].Name) })
	place, cells := make([]int, len(order)), make([]Cell, len(order))
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

// ByNumber compares names with numbers in them.
func ByNumber(a, b string) int {
	key := func(name string) string {
		return digits.ReplaceAllStringFunc(name, func(n string) string { return fmt.Sprintf("%9s", n) })
	}
	return cmp.Compare(key(a), key(b))
}

// List is the executions of a page.
type List []*Execution

// Add adds e under an ID of its own, made of the one that it has or of its title.
func (l *List) Add(e *Execution) {
	e.sort()
	id := strings.Trim(notWord.ReplaceAllString(e.Of+"-"+cmp.Or(e.ID, e.Title), "-"), "-")
	e.ID = id
	for k := 2; slices.ContainsFunc(*l, func(o *Execution) bool { return o.ID == e.ID }); k++ {
		e.ID = fmt.Sprintf("%s-%d", id, k)
	}
	*l = append(*l, e)
}

var notWord = regexp.MustCompile(`[^\w]+`)
