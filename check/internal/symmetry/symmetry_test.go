package symmetry

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/load"
	"shmbench/internal/testkit/treetest"
	"shmbench/shm"
)

const before = `package p

import "sync/atomic"

type L struct {
	busy atomic.Bool
	want [2]atomic.Bool
	turn atomic.Int32
	mine [2]bool
}

func New(n int) *L { return new(L) }

`

// testAndSet treats all processes alike.
const testAndSet = before + `
func (l *L) Lock(int) {
	for l.busy.Swap(true) {
	}
}

func (l *L) Unlock(int) { l.busy.Store(false) }
`

// petersons has a register for each process, and one with the id of a process, which is 0 at first.
const petersons = before + `
func (l *L) Lock(i int) {
	l.want[i].Store(true)
	l.turn.Store(int32(i))
	for l.want[1-i].Load() && l.turn.Load() == int32(i) {
	}
}

func (l *L) Unlock(i int) { l.want[i].Store(false) }
`

// unfair makes process 0 do more than process 1.
const unfair = before + `
func (l *L) Lock(i int) {
	if i == 0 {
		l.want[0].Store(true)
	}
	for l.busy.Swap(true) {
	}
}

func (l *L) Unlock(i int) { l.busy.Store(false) }
`

// alternating stores true and false in turn, so nothing tells an even passage from an odd one.
const alternating = before + `
func (l *L) Lock(i int) {
	l.mine[i] = !l.mine[i]
	l.want[i].Store(l.mine[i])
	for l.busy.Swap(true) {
	}
}

func (l *L) Unlock(i int) { l.busy.Store(false) }
`

// modelOf returns the model of the lock of a text.
func modelOf(t *testing.T, text string, n int) *automaton.Model {
	t.Helper()
	prog, err := load.Load(t.Context(), treetest.Module(t, text), ".")
	require.NoError(t, err)
	m := interp.New(t.Context(), prog)
	require.NoError(t, m.Init())
	c, err := m.Constructor("New")
	require.NoError(t, err)
	require.NoError(t, m.Build(c, n))
	l, err := automaton.New(m, 100, 0)
	require.NoError(t, err)
	closed, err := l.Close(64, 1<<13)
	require.NoError(t, err)
	require.True(t, closed)
	model, err := l.Minimize(l.AllSeen(), nil)
	require.NoError(t, err)
	return model
}

// keys returns what tells renamings apart.
func keys(all []Renaming) map[string]bool {
	out := map[string]bool{}
	for i := range all {
		out[all[i].key()] = true
	}
	return out
}

// TestOf: the symmetries of a lock are a group, and leave all its steps as they are. Some leave the initial state as it is.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		name       string
		text       string
		n          int
		all, fixes int
	}{
		{"test-and-set, n=2", testAndSet, 2, 2, 2},
		{"test-and-set, n=3", testAndSet, 3, 6, 6},
		{"Peterson's lock", petersons, 2, 2, 1},
		{"unfair", unfair, 2, 0, 0},
		{"even and odd passages", alternating, 2, 8, 2},
		{"even and odd passages of one process", alternating, 1, 2, 1},
		{"one process", testAndSet, 1, 0, 0},
		{"too many processes", testAndSet, mostProcs + 1, 0, 0},
	} {
		m := modelOf(t, c.text, c.n)
		all := Of(m)
		require.Len(t, all, c.all, c.name)
		require.Len(t, Fixing(all, m), c.fixes, c.name)
		known := keys(all)
		require.Len(t, known, c.all, "%s: no renaming is there twice", c.name)
		for i := range all {
			require.Equal(t, i == 0, all[i].Identity(), c.name)
			require.True(t, all[i].Holds(m), c.name)
			for j := range all {
				product := all[i].then(&all[j])
				require.True(t, known[product.key()], "%s: the product of two is there", c.name)
			}
		}
	}
	m := modelOf(t, testAndSet, 2)
	m.Heap = &automaton.Heap{}
	require.Nil(t, Of(m), "the slots of shared memory have no names")
}

// TestPetersons: the symmetry of Peterson's lock exchanges the processes, their registers, and the ids.
func TestPetersons(t *testing.T) {
	m := modelOf(t, petersons, 2)
	all := Of(m)
	require.Len(t, all, 2)
	g := all[1]
	require.Equal(t, []int32{1, 0}, g.Procs)
	require.Equal(t, []int32{1, 0, 2}, g.Regs) // want[0], want[1], turn
	require.Equal(t, [][]int32{{0, 1}, {0, 1}, {1, 0}}, g.Values)
	require.False(t, g.Fixes(m), "turn is 0 at first")
	twice := g.then(&g)
	require.True(t, twice.Identity())
}

// TestHoldsRefuses: a symmetry with two names exchanged is another symmetry, or none.
func TestHoldsRefuses(t *testing.T) {
	for _, text := range []string{testAndSet, petersons} {
		m := modelOf(t, text, 2)
		all := Of(m)
		known := keys(all)
		refused := 0
		for i := range all {
			g := all[i].clone()
			for _, names := range slices.Concat([][]int32{g.Procs, g.Regs}, g.Values, g.Locals) {
				for a := range names {
					for b := range a {
						names[a], names[b] = names[b], names[a]
						require.Equal(t, known[g.key()], g.Holds(m))
						refused++
						names[a], names[b] = names[b], names[a]
					}
					for _, wrong := range []int32{-1, int32(len(names)), names[(a+1)%len(names)]} {
						right := names[a]
						names[a] = wrong
						require.True(t, wrong == right || !g.Holds(m))
						names[a] = right
					}
				}
			}
			require.True(t, g.Holds(m))
		}
		require.Greater(t, refused, 10)
	}
}

// TestHoldsOfChanged: what exchanges the processes is no symmetry if one of them does anything else than the other. Marks make
// no difference.
func TestHoldsOfChanged(t *testing.T) {
	m := modelOf(t, petersons, 2)
	g := Of(m)[1]
	for name, change := range map[string]func(l *automaton.Local){
		"section":   func(l *automaton.Local) { l.Section = (l.Section + 1) % 4 },
		"mode":      func(l *automaton.Local) { l.Mode = shm.Shared },
		"giving up": func(l *automaton.Local) { l.GaveUp = true },
		"kind":      func(l *automaton.Local) { l.Kind ^= automaton.Plain },
		"decision":  func(l *automaton.Local) { l.Decides = true },
		"start":     func(l *automaton.Local) { l.Starts = true },
		"running":   func(l *automaton.Local) { l.Running = true },
		"passages":  func(l *automaton.Local) { l.Passages++ },
		"fault":     func(l *automaton.Local) { l.Fault = &interp.Fault{} },
		"register":  func(l *automaton.Local) { l.Reg = (l.Reg + 1) % 3 },
		"no access": func(l *automaton.Local) { l.Reg = -1 },
		"one more":  func(l *automaton.Local) { l.Moves = append(slices.Clone(l.Moves), automaton.Move{}) },
		"state":     func(l *automaton.Local) { l.Moves = slices.Clone(l.Moves); l.Moves[0].State ^= 1 },
		"value":     func(l *automaton.Local) { l.Moves = slices.Clone(l.Moves); l.Moves[1].Value ^= 1 },
		"binds":     func(l *automaton.Local) { l.Binds = []automaton.Bind{{}} },
		"no move": func(l *automaton.Local) {
			l.Moves = slices.Clone(l.Moves)
			l.Moves[0] = automaton.Move{State: -1, Value: -1}
		},
	} {
		for pid, p := range m.Procs {
			for s := range p.Local {
				l := p.Local[s]
				change(&p.Local[s])
				require.False(t, g.Holds(m), "%s of local state %d of process %d", name, s, pid)
				p.Local[s] = l
			}
		}
	}
	m.Procs[0].Local[0].Mark = 7
	require.True(t, g.Holds(m))

	fault, refusal := &interp.Fault{}, &interp.Fault{Refused: true}
	m.Procs[0].Local[0].Fault, m.Procs[1].Local[0].Fault = fault, refusal
	require.False(t, g.Holds(m), "what cannot be modeled is not what fails")
	m.Procs[1].Local[0].Fault = &interp.Fault{Endless: true}
	require.True(t, g.Holds(m))
	m.Regs[2].Decided = true
	require.True(t, g.Fixes(m), "what is decided has no initial value")
	m.Regs[1].Decided = true
	require.False(t, g.Holds(m))
}
