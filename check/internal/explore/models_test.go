package explore_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// drawn returns a random model: automata that read, write and do both to
// registers, atomically or not, and wait, fail or go through sections as it comes.
func drawn(rnd *rand.Rand) *automaton.Model {
	m := &automaton.Model{N: 2 + rnd.IntN(2)}
	m.Regs = []automaton.Reg{{Values: []interp.Value{nil}}} // what no access touches
	for r := range 1 + rnd.IntN(3) {
		values := make([]interp.Value, 2+rnd.IntN(3))
		for v := range values {
			values[v] = interp.Num(v)
		}
		m.Regs = append(m.Regs, automaton.Reg{At: interp.Ptr{Obj: int32(r + 1)}, Values: values})
	}
	for range m.N {
		p := &automaton.Proc{Local: make([]automaton.Local, 2+rnd.IntN(6))}
		p.Init = int32(rnd.IntN(len(p.Local)))
		for s := range p.Local {
			l := &p.Local[s]
			l.Section = interp.Section(rnd.IntN(4))
			if l.Reg = int32(1 + rnd.IntN(len(m.Regs)-1)); rnd.IntN(12) == 0 {
				l.Reg = -1
				if rnd.IntN(2) == 0 {
					l.Fault = &interp.Fault{Refused: rnd.IntN(2) == 0}
				}
				continue
			}
			l.Kind = []automaton.AccessKind{0, automaton.Reads, automaton.Writes, automaton.Writes, automaton.Reads | automaton.Writes}[rnd.IntN(5)]
			if l.Kind != 0 && rnd.IntN(4) == 0 {
				l.Kind |= automaton.Plain
			}
			if l.Kind == 0 {
				l.Reg = 0
			}
			count := len(m.Regs[l.Reg].Values)
			to, value := rnd.IntN(len(p.Local)), rnd.IntN(count)
			for v := range count {
				move := automaton.Move{State: int32(to), Value: int32(v)}
				if l.Kind&automaton.Reads != 0 { // what it does next depends on what it finds
					move.State = int32(rnd.IntN(len(p.Local)))
				}
				switch l.Kind &^ automaton.Plain {
				case automaton.Writes:
					move.Value = int32(value)
				case automaton.Reads | automaton.Writes:
					move.Value = int32(rnd.IntN(count))
				}
				l.Moves = append(l.Moves, move)
			}
		}
		m.Procs = append(m.Procs, p)
	}
	return m
}

// plainly is a state of a model, as it would be written down.
type plainly struct {
	local, regs []int32
	buffers     [][][2]int32 // by process: the stores on their way, the oldest first
	cache       []string     // by register: what copy the process has whose cache is looked at
}

func (p plainly) clone() plainly {
	p.local, p.regs, p.cache = slices.Clone(p.local), slices.Clone(p.regs), slices.Clone(p.cache)
	p.buffers = slices.Clone(p.buffers)
	for i := range p.buffers {
		p.buffers[i] = slices.Clone(p.buffers[i])
	}
	return p
}

// machine is a model with what its processes have beside it.
type machine struct {
	*automaton.Model
	buffered func(pid int, local int32) bool
	room     int // of a store buffer, 0 if there is none
	cacheOf  int // the process whose cache is looked at, or -1
}

func (m machine) initial() plainly {
	s := plainly{regs: make([]int32, len(m.Regs)), buffers: make([][][2]int32, m.N), cache: make([]string, len(m.Regs))}
	for _, p := range m.Procs {
		s.local = append(s.local, p.Init)
	}
	return s
}

// access makes the access of process pid, if it need not wait.
func (m machine) access(s plainly, pid int) (plainly, bool) {
	l := m.Procs[pid].Local[s.local[pid]]
	if l.Reg < 0 {
		return s, false
	}
	buffer := s.buffers[pid]
	found := s.regs[l.Reg]
	writes, reads := l.Kind&automaton.Writes != 0, l.Kind&automaton.Reads != 0
	for _, store := range buffer {
		if store[0] == l.Reg && !writes && l.Kind != 0 {
			found = store[1]
		}
	}
	to, move := s.clone(), l.Moves[found]
	switch {
	case writes && !reads && m.room > 0 && m.buffered(pid, s.local[pid]):
		if len(buffer) == m.room {
			return s, false
		}
		to.buffers[pid] = append(to.buffers[pid], [2]int32{l.Reg, move.Value})
	case writes:
		if len(buffer) > 0 {
			return s, false
		}
		to.regs[l.Reg] = move.Value
	}
	to.local[pid] = move.State
	if m.cacheOf >= 0 && l.Kind != 0 {
		copied := &to.cache[l.Reg]
		switch {
		case pid == m.cacheOf && writes:
			*copied = "exclusive"
		case pid == m.cacheOf && *copied == "":
			*copied = "shared"
		case pid != m.cacheOf && writes:
			*copied = ""
		case pid != m.cacheOf && *copied == "exclusive":
			*copied = "shared"
		}
	}
	return to, true
}

// wrong says what is wrong with a state.
func (m machine) wrong(s plainly) (bad explore.Bad) {
	critical := 0
	for p, proc := range m.Procs {
		a := proc.Local[s.local[p]]
		if a.Section == interp.Critical {
			critical++
		}
		switch {
		case a.Fault == nil:
		case a.Fault.Refused:
			bad |= explore.Beyond
		default:
			bad |= explore.Panic
		}
		for q := range p {
			b := m.Procs[q].Local[s.local[q]]
			both := a.Kind | b.Kind
			if a.Kind != 0 && b.Kind != 0 && a.Reg == b.Reg && both&automaton.Plain != 0 && both&automaton.Writes != 0 {
				bad |= explore.Race
			}
		}
	}
	if critical > 1 {
		bad |= explore.Exclusion
	}
	return bad
}

// search is what a plain search breadth first finds.
type search struct {
	states   []plainly
	edges    int64
	depth    int
	distance map[explore.Bad]int
	waited   bool // for room in a buffer
}

func (m machine) search() search {
	out := search{states: []plainly{m.initial()}, distance: map[explore.Bad]int{}}
	at := map[string]int{fmt.Sprint(out.states[0]): 0} // the distance
	for i := 0; i < len(out.states); i++ {
		s := out.states[i]
		d := at[fmt.Sprint(s)]
		out.depth = d
		for _, bad := range []explore.Bad{explore.Exclusion, explore.Race, explore.Panic, explore.Beyond} {
			if _, known := out.distance[bad]; m.wrong(s)&bad != 0 && !known {
				out.distance[bad] = d
			}
		}
		reach := func(to plainly) {
			out.edges++
			if _, known := at[fmt.Sprint(to)]; !known {
				at[fmt.Sprint(to)] = d + 1
				out.states = append(out.states, to)
			}
		}
		for pid := range m.N {
			if to, ok := m.access(s, pid); ok {
				reach(to)
			}
			out.waited = out.waited || m.room > 0 && len(s.buffers[pid]) == m.room
			if len(s.buffers[pid]) > 0 {
				to := s.clone()
				store := to.buffers[pid][0]
				to.buffers[pid], to.regs[store[0]] = to.buffers[pid][1:], store[1]
				reach(to)
			}
		}
	}
	return out
}

// requireSame requires that an exploration finds the same as the search.
func requireSame(t *testing.T, want search, sys explore.System, seed uint64) *explore.Graph {
	t.Helper()
	g := explore.Run(t.Context(), sys, explore.Options{Workers: 1 + int(seed%2), Keep: true})
	require.True(t, g.Exhausted, seed)
	require.Equal(t, len(want.states), g.States, seed)
	require.Equal(t, want.edges, g.Edges, seed)
	require.Equal(t, want.depth, g.Depth, seed)
	distance := map[explore.Bad]int{}
	for bad, id := range g.Bad {
		distance[bad] = len(g.Path(id))
	}
	require.Equal(t, want.distance, distance, seed)
	return g
}

// TestModels compares the packed systems with random models, explored as a reader would
// by hand: one access after another, through store buffers, and with the cache of a
// process.
func TestModels(t *testing.T) {
	for seed := range uint64(150) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		model := drawn(rnd)
		sc := explore.NewSC(model)
		want := machine{Model: model, cacheOf: -1}.search()
		g := requireSame(t, want, sc, seed)
		locals, values := sc.Occurring(g, 1+int(seed%2))
		for r := range model.Regs {
			for v := range model.Regs[r].Values {
				occurs := slices.ContainsFunc(want.states, func(s plainly) bool { return s.regs[r] == int32(v) })
				require.Equal(t, occurs, values[r][v], seed)
			}
		}
		for p := range model.Procs {
			for l := range model.Procs[p].Local {
				occurs := slices.ContainsFunc(want.states, func(s plainly) bool { return s.local[p] == int32(l) })
				require.Equal(t, occurs, locals[p][l], seed)
			}
		}

		pid := rnd.IntN(model.N)
		if cached := explore.NewCached(sc, pid); cached != nil {
			m := machine{Model: model, cacheOf: pid}
			want := m.search()
			uses := func(r int) bool { // a register that the process never uses has no copy
				return slices.ContainsFunc(model.Procs[pid].Local, func(l automaton.Local) bool { return l.Reg == int32(r) && l.Kind != 0 })
			}
			g := requireSame(t, want, cached, seed)
			remote, back := 0, 0
			for id := range uint32(g.States) {
				if cached.Remote(g.State(id), pid, false) {
					remote++
				}
				if cached.Remote(g.State(id), pid, true) {
					back++
				}
			}
			wantRemote, wantBack := 0, 0
			for _, s := range want.states {
				l := model.Procs[pid].Local[s.local[pid]]
				if l.Reg < 0 || l.Kind == 0 || !uses(int(l.Reg)) {
					continue
				}
				copied := s.cache[l.Reg]
				if writes := l.Kind&automaton.Writes != 0; writes || copied == "" {
					wantRemote++
					if !writes || copied != "exclusive" {
						wantBack++
					}
				}
			}
			require.Equal(t, []int{wantRemote, wantBack}, []int{remote, back}, seed)
		}

		if model.N > 2 {
			continue
		}
		buffered := func(pid int, local int32) bool { return (uint64(local)+uint64(pid)+seed)%3 != 0 }
		room := 1 + rnd.IntN(2)
		tso := explore.NewTSO(sc, room, buffered)
		want = machine{Model: model, buffered: buffered, room: room, cacheOf: -1}.search()
		requireSame(t, want, tso, seed)
		require.True(t, want.waited || !tso.Full.Load())
	}
}

// TestMostStates: an exploration ends before there are more states than it may
// have.
func TestMostStates(t *testing.T) {
	for _, most := range []int{1, 2, 100, 5_000} {
		g := explore.Run(t.Context(), dial{3, 40}, explore.Options{MaxStates: most})
		require.False(t, g.Exhausted, most)
		require.LessOrEqual(t, g.States, most+3*64, most)
	}
}
