package views

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// TestIndices: the indices of a name, and what is left of it without them.
func TestIndices(t *testing.T) {
	for _, c := range []struct {
		name, base string
		index      []int
	}{
		{"turn", "turn", nil},
		{"want[3]", "want", []int{3}},
		{"node[2].q[1]", "node.q", []int{2, 1}},
		{"a[0][12]", "a", []int{0, 12}},
		{"a[i]", "a[i]", nil},
		{"a[1].b[i]", "a.b[i]", []int{1}},
		{"a]0[", "a]0[", nil},
		{"a[0", "a[0", nil},
		{"[7]", "", []int{7}},
		{"", "", nil},
	} {
		base, index := indices(c.name)
		require.Equal(t, c.base, base, c.name)
		require.Equal(t, c.index, index, c.name)
	}
	require.Equal(t, "a[0][12]", indexed("a", []int{0, 12}))
	require.Equal(t, "a", indexed("a", nil))
}

// TestArray: each combination of indices has its place, and no other has one.
func TestArray(t *testing.T) {
	a := &array{size: []int{2, 3}}
	seenAt := map[int]bool{}
	for i := range 2 {
		for k := range 3 {
			c := &seen{register: 10*i + k}
			a.set([]int{i, k}, c)
			at := a.place([]int{i, k})
			require.Same(t, c, a.cells[at])
			seenAt[at] = true
		}
	}
	require.Len(t, a.cells, 6)
	require.Len(t, seenAt, 6)
	for _, index := range [][]int{{-1, 0}, {0, -1}, {2, 0}, {0, 3}} {
		require.Equal(t, -1, a.place(index), index)
	}
	require.Equal(t, 0, (&array{}).place(nil), "a register without an index")
}

// TestOneLine: single blanks stand in place of line breaks.
func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{"a\n\tb  c\n": "a b c", "a": "a", "": ""} {
		require.Equal(t, want, OneLine(text))
	}
}

// TestSectionOf: the entry section has two parts if the specification claims a doorway.
func TestSectionOf(t *testing.T) {
	for _, c := range []struct {
		section       interp.Section
		mark          int64
		with, without shm.Section
	}{
		{interp.Remainder, 0, shm.Remainder, shm.Remainder},
		{interp.Entry, 0, shm.Doorway, shm.Waiting},
		{interp.Entry, automaton.PastLoop, shm.Doorway, shm.Waiting},
		{interp.Entry, automaton.PastDoorway, shm.Waiting, shm.Waiting},
		{interp.Critical, automaton.PastDoorway, shm.Critical, shm.Critical},
		{interp.Critical, 0, shm.Critical, shm.Critical},
		{interp.Exit, 0, shm.Exit, shm.Exit},
	} {
		l := automaton.Local{Section: c.section, Mark: c.mark}
		require.Equal(t, c.with, (&Views{doorway: true}).sectionOf(l), c)
		require.Equal(t, c.without, (&Views{}).sectionOf(l), c)
	}
}

// invariantViews are those of two processes with two local states each, in its remainder section
// and on lines 2 and 3 of its entry section. The registers are a[0], a[1], a boolean b and a pointer p.
// A constant is 5, a register is forgotten, and another is process 1's own.
func invariantViews() *Views {
	m := &automaton.Model{N: 2, Regs: []automaton.Reg{
		{Values: []interp.Value{interp.Num(7), interp.Num(9)}},
		{Values: []interp.Value{interp.Num(1), interp.Num(2)}},
		{Values: []interp.Value{interp.Num(0), interp.Num(1), interp.Num(2)}},
		{Values: []interp.Value{interp.Ptr{}}},
	}}
	spots := []spot{{shm.Remainder, ""}, {shm.Waiting, "2, 3"}}
	for range m.N {
		m.Procs = append(m.Procs, &automaton.Proc{Local: make([]automaton.Local, 2)})
	}
	for _, p := range m.Procs {
		for i := range p.Local {
			p.Local[i].Reg = -1
		}
	}
	s := &Views{n: 2, sys: explore.NewSC(m), spots: [][]spot{spots, spots}, first: [][]int32{{0, 0}, {0, 1}}, labels: map[string]bool{"2": true, "3": true, "4": true}, arrays: map[family]*array{
		{"a", 1}: {size: []int{3}, cells: []*seen{{register: 0, owner: -1}, {register: 1, owner: -1}, nil}},
		{"b", 0}: {cells: []*seen{{register: 2, owner: -1}}},
		{"p", 0}: {cells: []*seen{{register: 3, owner: -1}}},
		{"c", 0}: {cells: []*seen{{register: -1, owner: -1, holds: interp.Num(5)}}},
		{"f", 0}: {cells: []*seen{{register: -1, owner: -1, forgotten: true}}},
		{"o", 0}: {cells: []*seen{{register: -1, owner: 1}}},
	}}
	return s
}

// TestView: an invariant sees sections, lines and values, and a question about something that does
// not exist is an error that names what does.
func TestView(t *testing.T) {
	s := invariantViews()
	state := make([]uint64, s.sys.Words())
	put := func(f explore.Field, to uint64) { state[f.Word] |= to << f.Shift }
	put(s.sys.Procs[1], 1)
	put(s.sys.Regs[1], 1)
	put(s.sys.Regs[2], 1)
	v := view{s, state, 0}
	require.Equal(t, 2, v.N())
	require.Equal(t, []shm.Section{shm.Remainder, shm.Waiting}, []shm.Section{v.Section(0), v.Section(1)})
	require.Equal(t, []bool{true, true, false}, []bool{v.At(1, "2"), v.At(1, "3"), v.At(1, "4")})
	require.False(t, v.At(0, "2"))
	require.Equal(t, []int{7, 2, 2, 5}, []int{v.Int("a", 0), v.Int("a", 1), v.Int("a[1]"), v.Int("c")})
	require.True(t, v.Bool("b"))
	require.False(t, view{s, make([]uint64, len(state)), 0}.Bool("b"))

	wrong := errors.New("wrong")
	for _, c := range []struct {
		holds func(shm.View) error
		err   string
	}{
		{func(v shm.View) error { v.Section(2); return nil }, `the invariant "i": there is no process 2: they are 0 to 1`},
		{func(v shm.View) error { v.Section(-1); return nil }, `the invariant "i": there is no process -1: they are 0 to 1`},
		{func(v shm.View) error { v.At(0, "5"); return nil }, `the invariant "i": there is no line labeled "5"; the lock has 2, 3 and 4`},
		{func(v shm.View) error { v.Int("a", 2); return nil }, `the invariant "i": there is no register a[2]; the lock has a[0..2], b and p`},
		{func(v shm.View) error { v.Int("a", 3); return nil }, `the invariant "i": there is no register a[3]; the lock has a[0..2], b and p`},
		{func(v shm.View) error { v.Int("a"); return nil }, `the invariant "i": there is no register a; the lock has a[0..2], b and p`},
		{func(v shm.View) error { v.Bool("a", 1); return nil }, `the invariant "i": a[1] holds 2, which is no boolean`},
		{func(v shm.View) error { v.Int("p"); return nil }, `the invariant "i": p holds no number`},
		{func(v shm.View) error { v.Ref("a", 0); return nil }, `the invariant "i": a[0] holds no pointer`},
		{func(v shm.View) error { v.Int("o"); return nil }, `the invariant "i": o is not in view: process 1 has it to itself`},
		{func(v shm.View) error { v.Int("f"); return nil }, "f was forgotten"},
		{func(shm.View) error { panic("lost\n it") }, `the invariant "i" panics: lost it`},
	} {
		says, err := s.Ask(shm.Invariant{Name: "i", Holds: c.holds}, state)
		require.EqualError(t, err, c.err)
		require.NoError(t, says)
	}
	says, err := s.Ask(shm.Invariant{Name: "i", Holds: func(shm.View) error { return wrong }}, state)
	require.Equal(t, wrong, says)
	require.NoError(t, err)

	s.arrays = map[family]*array{{"z", 0}: {cells: []*seen{{register: 0, owner: -1}}}, {"k", 0}: {cells: []*seen{{register: -1, owner: -1}}}}
	_, err = s.Ask(shm.Invariant{Name: "i", Holds: func(v shm.View) error { v.Int("a"); return nil }}, state)
	require.EqualError(t, err, `the invariant "i": there is no register a; the lock has z`, "what does not change is not listed")
	s.labels, s.arrays = nil, nil
	_, err = s.Ask(shm.Invariant{Name: "i", Holds: func(v shm.View) error { v.At(0, "5"); return nil }}, state)
	require.EqualError(t, err, `the invariant "i": there is no line labeled "5"; the lock has no labels`)
	_, err = s.Ask(shm.Invariant{Name: "i", Holds: func(v shm.View) error { v.Int("a"); return nil }}, state)
	require.EqualError(t, err, `the invariant "i": there is no register a; the lock has none`)
}

// TestImage: local states of a process that look the same have one image, and everything else in a
// state is in its image.
func TestImage(t *testing.T) {
	s := invariantViews() // those of process 0 look the same
	image := s.Image()
	require.Equal(t, s.sys.Words(), image.Words)
	for _, a := range []uint64{0, 1} {
		for _, b := range []uint64{0, 1} {
			state, to := make([]uint64, image.Words), make([]uint64, image.Words)
			for f, value := range map[explore.Field]uint64{s.sys.Procs[0]: a, s.sys.Procs[1]: b, s.sys.Regs[0]: a, s.sys.Regs[2]: 2} {
				state[f.Word] |= value << f.Shift
			}
			image.Of(state, to)
			require.Equal(t, []int{0, int(b)}, []int{int(s.sys.Procs[0].Of(to)), int(s.sys.Procs[1].Of(to))})
			require.Equal(t, []int{int(a), 0, 2}, []int{int(s.sys.Regs[0].Of(to)), int(s.sys.Regs[1].Of(to)), int(s.sys.Regs[2].Of(to))})
		}
	}
}
