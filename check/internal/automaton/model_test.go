package automaton

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/interp"
)

// TestKind: whether an access reads or writes, has a fence behind it, and goes through sync/atomic.
func TestKind(t *testing.T) {
	for _, c := range []struct {
		access   *interp.Access
		kind     AccessKind
		unfenced bool
	}{
		{nil, 0, false},
		{&interp.Access{Op: interp.Pass}, 0, false},
		{&interp.Access{Op: interp.Call}, 0, false},
		{&interp.Access{Op: interp.Poll}, 0, false},
		{&interp.Access{Op: interp.Load}, Reads, false},
		{&interp.Access{Op: interp.Load, Plain: true}, Reads | Plain, false},
		{&interp.Access{Op: interp.Store}, Writes, false},
		{&interp.Access{Op: interp.Store, Plain: true}, Writes | Plain, true},
		{&interp.Access{Op: interp.StoreRelease}, Writes | Released, true},
		{&interp.Access{Op: interp.Swap}, Reads | Writes, false},
		{&interp.Access{Op: interp.Add}, Reads | Writes, false},
	} {
		kind := Kind(&interp.State{Access: c.access})
		require.Equal(t, c.kind, kind)
		require.Equal(t, c.unfenced, kind.Unfenced(), kind)
	}
}

// passage is a process whose local states are its sections one after another, each with the next one as its successor.
// It waits in its entry section while register 1 is 0.
func passage() *Proc {
	return &Proc{
		Local: []Local{
			{Section: interp.Remainder, Kind: Writes, Reg: 0, Moves: []Move{{1, 1}, {1, 1}}, Mark: 5},
			{Section: interp.Entry, Kind: Reads, Reg: 1, Moves: []Move{{1, 0}, {2, 1}}},
			{Section: interp.Critical, Kind: Writes, Reg: 0, Moves: []Move{{3, 0}, {3, 0}}},
			{Section: interp.Exit, Kind: Reads | Writes, Reg: 2, Moves: []Move{{0, 1}, {Unknown, Unknown}}},
		},
		Members: [][]int32{{0}, {1, 4}, {2}, {3, 5}},
	}
}

// TestLimit: each passage has local states of its own. After the last one the process stays in its remainder section.
func TestLimit(t *testing.T) {
	regs := []Reg{{Numbers: []int32{0, 1}}, {}, {}}
	p := passage()
	m := (&Model{N: 1, Regs: regs, Heap: nodes(), Procs: []*Proc{p}}).Limit(2)
	require.Equal(t, 1, m.N)
	require.Equal(t, regs, m.Regs)
	require.Equal(t, nodes(), m.Heap)
	end := Local{Section: interp.Remainder, Reg: -1, Passages: 2}
	want := &Proc{Members: [][]int32{{0}, {1, 4}, {2}, {3, 5}, {0}, {1, 4}, {2}, {3, 5}, nil}}
	for k := range int32(2) {
		for s, l := range p.Local {
			l.Passages, l.Moves = k, nil
			for _, m := range p.Local[s].Moves {
				switch {
				case m.State == 0:
					m.State = 4*k + 4
				case m.State > 0:
					m.State += 4 * k
				}
				l.Moves = append(l.Moves, m)
			}
			want.Local = append(want.Local, l)
		}
	}
	want.Local = append(want.Local, end)
	require.Equal(t, want, m.Procs[0])
	require.Equal(t, passage(), p, "the model without a limit stays as it is")
}

// TestLimitOfCalls: a decision begins no passage. A call that fails by its first access is one. The state of a bind has
// as many passages as the one before it.
func TestLimitOfCalls(t *testing.T) {
	p := &Proc{
		Init: 1,
		Local: []Local{
			{Section: interp.Remainder, Moves: []Move{{1, 0}, {2, 0}}}, // tries
			{Section: interp.Remainder, Decides: true, Moves: []Move{{0, 0}, {0, 1}}},
			{Section: interp.Critical, Moves: []Move{{Binds, Unknown}}, Binds: []Bind{{State: 3}}},
			{Section: interp.Critical, Moves: []Move{{1, 0}}},
		},
		Members: [][]int32{{0}, {1}, {2}, {3}},
	}
	got := (&Model{N: 1, Procs: []*Proc{p}}).Limit(1).Procs[0]
	require.Zero(t, got.Init)
	require.Equal(t, []Local{
		{Section: interp.Remainder, Decides: true, Moves: []Move{{1, 0}, {1, 1}}},
		{Section: interp.Remainder, Moves: []Move{{2, 0}, {3, 0}}},
		{Section: interp.Remainder, Reg: -1, Passages: 1},
		{Section: interp.Critical, Moves: []Move{{Binds, Unknown}}, Binds: []Bind{{State: 4}}},
		{Section: interp.Critical, Moves: []Move{{2, 0}}},
	}, got.Local)
	require.Equal(t, [][]int32{{1}, {0}, nil, {2}, {3}}, got.Members)
	require.Equal(t, int32(3), p.Local[2].Binds[0].State, "the model without a limit stays as it is")
}

// TestWeak: a register is not atomic unless a process makes another access to it than a load or a store.
func TestWeak(t *testing.T) {
	p := passage()
	require.Equal(t, []bool{true, true, false, true}, (&Model{N: 1, Regs: make([]Reg, 4), Procs: []*Proc{p}}).Weak())
	p.Local[0].Reg, p.Local[0].Kind, p.Local[3].Reg = 2, Reads|Plain, 0
	require.Equal(t, []bool{false, true, true, true}, (&Model{N: 1, Regs: make([]Reg, 4), Procs: []*Proc{p}}).Weak())
	p.Local[1].Reg, p.Local[3].Reg = -1, 4
	require.Equal(t, []bool{true, true, true, true}, (&Model{N: 1, Regs: make([]Reg, 4), Procs: []*Proc{p}}).Weak(), "a model has no register 4")
}

// TestTwoStepWrites: a store to a register that is not atomic starts and finishes. While it is running, the process is in its
// entry or exit section.
func TestTwoStepWrites(t *testing.T) {
	heap, regs := nodes(), make([]Reg, 3)
	p := passage()
	m := (&Model{N: 1, Regs: regs, Heap: heap, Procs: []*Proc{p}}).TwoStepWrites([]bool{true, true})
	require.Equal(t, []int{1, 3}, []int{m.N, len(m.Regs)})
	require.Equal(t, heap, m.Heap)
	want := passage()
	for _, at := range []struct {
		state, running int32
		section        interp.Section
	}{{0, 4, interp.Entry}, {2, 5, interp.Exit}} {
		running := want.Local[at.state]
		running.Section, running.Running = at.section, true
		start := &want.Local[at.state]
		start.Moves, start.Starts = []Move{{at.running, 0}, {at.running, 1}}, true
		want.Local = append(want.Local, running)
		want.Members = append(want.Members, want.Members[at.state])
	}
	require.Equal(t, want, m.Procs[0])
	require.Equal(t, passage(), p, "the model stays as it is")

	p.Local[3].Kind = Writes // in the exit section, where it stays
	m = (&Model{N: 1, Regs: regs, Procs: []*Proc{p}}).TwoStepWrites([]bool{false, true, true})
	require.Len(t, m.Procs[0].Local, 5)
	require.Equal(t, interp.Exit, m.Procs[0].Local[4].Section)
	require.False(t, m.Procs[0].Local[0].Starts)
}
