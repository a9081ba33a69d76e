// Package views has what an invariant of a lock sees of a state: the section of each
// process, the line of its pseudo-code, and the registers by their names. Views finds the
// names once for a lock. A state is reduced to an image, which is all that its
// view depends on. So an invariant is asked once about states that look the same.
package views

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// Views is what invariants can see of a lock: where processes are, and the
// registers by name.
type Views struct {
	n       int
	learned *model.Lock
	doorway bool // the specification claims where the doorway ends
	sys     *explore.SC
	names   *interp.Names
	spots   [][]spot  // by process and local state
	first   [][]int32 // by process and local state: the first local state at the same spot
	arrays  map[family]*array
	labels  map[string]bool // of the files that have accesses
}

// family is cells with the same name and number of indices.
type family struct {
	name    string
	indices int
}

// spot is all that is in view of a local state.
type spot struct {
	section shm.Section
	label   string
}

// array is the cells of one name, with as many indices each as size has.
type array struct {
	size  []int
	cells []*seen // nil where there is none
}

// seen is a cell of the lock's memory.
type seen struct {
	at       interp.Ptr
	register int          // in the model, -1 if it is none
	holds    interp.Value // all the time, if it is no register
	// owner is the process that has the cell to itself, or -1.
	owner     int
	forgotten bool // it is no part of a state
}

// New returns what invariants see of a lock that was learned. Doorway says that the
// specification claims where the doorway ends.
func New(learned *model.Lock, sys *explore.SC, names *interp.Names, doorway bool) *Views {
	s := &Views{n: learned.Model.N, learned: learned, sys: sys, names: names, doorway: doorway, arrays: map[family]*array{}, labels: map[string]bool{}}
	s.lines()
	for pid, p := range s.learned.Model.Procs {
		first := map[spot]int32{}
		var spots []spot
		var same []int32
		for i := range p.Local {
			at := s.spotOf(pid, int32(i))
			if _, known := first[at]; !known {
				first[at] = int32(i)
			}
			spots, same = append(spots, at), append(same, first[at])
		}
		s.spots, s.first = append(s.spots, spots), append(s.first, same)
	}
	s.registers()
	return s
}

// lines finds the labels of the files in which there are accesses.
func (s *Views) lines() {
	m := s.learned.Learner.M
	files := map[string]bool{}
	for _, p := range s.learned.Learner.Procs {
		for _, st := range p.States {
			pos, label := m.Place(st)
			all := []string{label}
			if file := m.Prog.Fset.Position(pos).Filename; !files[file] {
				files[file] = true
				all = append(all, m.Prog.Labels(file)...)
			}
			for _, label := range all {
				for _, l := range parts(label) {
					s.labels[l] = true
				}
			}
		}
	}
	delete(s.labels, "")
}

// spotOf is where a process is in a local state.
func (s *Views) spotOf(pid int, local int32) spot {
	p := s.learned.Model.Procs[pid]
	at := spot{section: s.sectionOf(p.Local[local])}
	if members := p.Members[local]; len(members) > 0 {
		_, at.label = s.learned.Learner.M.Place(s.learned.Learner.Procs[pid].States[members[0]])
	}
	return at
}

// parts are the labels of a line that has several: "2, 3".
func parts(label string) []string { return strings.Split(label, ", ") }

// registers finds the cells that have names. Where a pointer and what it leads
// to have one name, that is the name of what changes, or else of what it leads
// to.
func (s *Views) registers() {
	number := map[interp.Ptr]int{}
	for r, reg := range s.learned.Model.Regs {
		number[reg.At] = r
	}
	m := s.learned.Learner.M
	found := map[string]*seen{}
	for at, name := range s.names.All() {
		c := &seen{at: at, register: -1, holds: m.Initial(at), owner: -1, forgotten: m.Forgotten(at)}
		if r, ok := number[at]; ok {
			c.register = r
		}
		if pid, ok := m.Owner(at); ok {
			c.owner = pid
		}
		if old := found[name]; old == nil || c.register >= 0 || old.register < 0 && old.leads() {
			found[name] = c
		}
	}
	for name := range found {
		base, index := indices(name)
		a := s.arrays[family{base, len(index)}]
		if a == nil {
			a = &array{size: make([]int, len(index))}
			s.arrays[family{base, len(index)}] = a
		}
		for i, k := range index {
			a.size[i] = max(a.size[i], k+1)
		}
	}
	for name, c := range found {
		base, index := indices(name)
		s.arrays[family{base, len(index)}].set(index, c)
	}
}

func (c *seen) leads() bool {
	_, ok := c.holds.(interp.Ptr)
	return ok
}

// indices takes the indices out of a name: "node[2].q[1]" is "node.q", 2, 1.
func indices(name string) (base string, index []int) {
	for {
		open := strings.IndexByte(name, '[')
		end := strings.IndexByte(name, ']')
		if open < 0 || end < open {
			return base + name, index
		}
		i, err := strconv.Atoi(name[open+1 : end])
		if err != nil {
			return base + name, index
		}
		base, index, name = base+name[:open], append(index, i), name[end+1:]
	}
}

// place is where in cells the cell with the given indices is, or -1.
func (a *array) place(index []int) int {
	at := 0
	for i, k := range index {
		if k < 0 || k >= a.size[i] {
			return -1
		}
		at = at*a.size[i] + k
	}
	return at
}

func (a *array) set(index []int, c *seen) {
	if a.cells == nil {
		count := 1
		for _, k := range a.size {
			count *= k
		}
		a.cells = make([]*seen, count)
	}
	a.cells[a.place(index)] = c
}

// cell finds a cell by its name.
func (s *Views) cell(name string, index []int) *seen {
	if base, first := indices(name); len(first) > 0 {
		return s.cell(base, append(first, index...))
	}
	a := s.arrays[family{name, len(index)}]
	at := -1
	if a != nil {
		at = a.place(index)
	}
	if at < 0 || a.cells[at] == nil {
		panic(misuse(fmt.Sprintf("there is no register %s; the lock has %s", indexed(name, index), s.called())))
	}
	c := a.cells[at]
	if c.forgotten {
		panic(&NeededError{indexed(name, index)})
	}
	if c.owner >= 0 {
		panic(misuse(fmt.Sprintf("%s is not in view: process %d has it to itself", indexed(name, index), c.owner)))
	}
	return c
}

func indexed(name string, index []int) string {
	for _, i := range index {
		name += "[" + strconv.Itoa(i) + "]"
	}
	return name
}

// called lists the registers: "number[0..1]".
func (s *Views) called() string {
	var all []string
	for f, a := range s.arrays {
		if !slices.ContainsFunc(a.cells, func(c *seen) bool { return c != nil && c.register >= 0 }) {
			continue
		}
		for _, k := range a.size {
			f.name += fmt.Sprintf("[0..%d]", k-1)
		}
		all = append(all, f.name)
	}
	if all == nil {
		return "none"
	}
	slices.Sort(all)
	return verdict.List(all)
}

// labeled lists the labels.
func (s *Views) labeled() string {
	if len(s.labels) == 0 {
		return "no labels"
	}
	return verdict.List(slices.Sorted(maps.Keys(s.labels)))
}

// Image is the least that all views of a state depend on.
func (s *Views) Image() explore.Image {
	words := s.sys.Words()
	return explore.Image{Words: words, Of: func(state, to []uint64) {
		copy(to, state[:words])
		for pid, f := range s.sys.Procs {
			to[f.Word] = to[f.Word]&^(f.Mask<<f.Shift) | uint64(s.first[pid][f.Of(state)])<<f.Shift
		}
	}}
}

// view is one state in sight; it is a shm.View.
type view struct {
	*Views
	state []uint64
	// more is how many times the modulus is added to all counts.
	more uint64
}

// NeededError says that an invariant reads a register that was forgotten.
type NeededError struct{ Register string }

func (e *NeededError) Error() string { return e.Register + " was forgotten" }

// misuse is the panic of a view that is asked about something that does not exist.
type misuse string

func (v view) N() int { return v.n }

func (v view) spot(process int) spot {
	if process < 0 || process >= v.n {
		panic(misuse(fmt.Sprintf("there is no process %d: they are 0 to %d", process, v.n-1)))
	}
	return v.spots[process][v.sys.Procs[process].Of(v.state)]
}

func (v view) Section(process int) shm.Section { return v.spot(process).section }

func (v view) At(process int, label string) bool {
	if !v.labels[label] {
		panic(misuse(fmt.Sprintf("there is no line labeled %q; the lock has %s", label, v.labeled())))
	}
	at := v.spot(process).label
	return at == label || strings.Contains(at, ",") && slices.Contains(parts(at), label)
}

func (v view) Int(register string, index ...int) int {
	return int(v.number(register, index))
}

func (v view) Bool(register string, index ...int) bool {
	b := v.number(register, index)
	if b > 1 {
		panic(misuse(fmt.Sprintf("%s holds %d, which is no boolean", indexed(register, index), int64(b))))
	}
	return b == 1
}

func (v view) number(register string, index []int) interp.Num {
	value := v.value(v.cell(register, index))
	if c, ok := value.(interp.Count); ok {
		return v.whole(c)
	}
	b, ok := value.(interp.Num)
	if !ok {
		panic(misuse(fmt.Sprintf("%s holds no number", indexed(register, index))))
	}
	return b
}

func (v view) Ref(register string, index ...int) string {
	c := v.cell(register, index)
	p, ok := v.value(c).(interp.Ptr)
	if !ok {
		panic(misuse(fmt.Sprintf("%s holds no pointer", indexed(register, index))))
	}
	return v.names.Value(c.at, p)
}

// whole is a number that a count can stand for. The numbers of a class are as far apart as the counts
// in the registers, and the least one is less than the modulus. In an anchored class, a number of the
// first lap is known, and one of a later lap is near it, or else less than two laps on.
func (v view) whole(c interp.Count) interp.Num {
	if c.Lap == interp.FirstLap {
		return interp.Num(c.N)
	}
	var in uint64
	laps := v.more + uint64(c.Lap/interp.LaterLap)
	for r, reg := range v.sys.Model.Regs {
		if d, ok := reg.Values[v.sys.Regs[r].Of(v.state)].(interp.Count); ok && d.Of == c.Of {
			if small, _ := d.Small(0); small {
				continue
			}
			if in |= 1 << d.N; d.Lap == interp.FirstLap {
				laps = 0
			}
		}
	}
	least, widest := uint64(0), uint64(0)
	for n := range c.M {
		gap := uint64(1)
		for gap < c.M && in>>((n+c.M-gap)%c.M)&1 == 0 {
			gap++
		}
		if in>>n&1 == 1 && gap > widest {
			least, widest = n, gap
		}
	}
	return interp.Num(least + (c.N+c.M-least)%c.M + laps*c.M)
}

// value is what a cell holds.
func (v view) value(c *seen) interp.Value {
	if c.register < 0 {
		return c.holds
	}
	return v.sys.Model.Regs[c.register].Values[v.sys.Regs[c.register].Of(v.state)]
}
