package numa

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// Lines 18 to 23 of CNA: a leaving process lets in the next of its own node and puts those
// before it aside; after batch in a row they come first, in their order.
func TestCNASkipsBatchTimes(t *testing.T) {
	const batch = 2
	l, err := CNA{InTurn(2), batch}.New(8, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.Lock(0)
	var p []*onestep.Process
	for _, i := range []int{1, 3, 2, 4, 6} {
		p = append(p, onestep.Enter(l, i))
		onestep.Until(t, func() bool { return l.tail.Load() == uint32(i+1) })
		pred := []int{0, 1, 3, 2, 4}[len(p)-1]
		onestep.Until(t, func() bool { return l.node.At(pred).next.Load() == uint32(i+1) })
	}
	l.Unlock(0)
	for _, k := range []int{2, 0, 1, 3, 4} { // process 2, then 1, 3, 4, 6
		p[k].MustEnter(t)
		p[k].Leave()
	}
	require.Zero(t, l.tail.Load())
}

// Line 12 of HMCS: batch in a row have the root, and then the other node has it.
func TestHMCSPassesBatchTimes(t *testing.T) {
	const batch = 2
	l, err := HMCS{InTurn(2), batch}.New(6, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.Lock(0)
	var p []*onestep.Process
	for k, i := range []int{1, 2, 4} {
		before := l.of([]uint32{l.way[0][1].I, 1, 3}[k])
		p = append(p, onestep.Enter(l, i))
		onestep.Until(t, func() bool { return before.next.Load() != none })
	}
	l.Unlock(0)
	for _, k := range []int{1, 0, 2} { // process 2, then 1, 4
		p[k].MustEnter(t)
		p[k].Leave()
	}
}

// Lines 4 and 5 of HTicket: who finds the tickets of a batch drawn waits until the batch is
// over, though its maker is still inside.
func TestHTicketWaitsForTheBatch(t *testing.T) {
	l, err := HTicket{InTurn(1), 1}.New(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	node := l.local.At(0)
	l.Lock(0)
	second := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return node.lrequest.Load() == 0 })
	third := onestep.Enter(l, 2)
	onestep.Until(t, func() bool { return node.lrequest.Load() == -1 })
	third.MustWait(t)
	require.Equal(t, int32(-1), node.lrequest.Load(), "no second batch")
	l.Unlock(0)
	second.MustEnter(t)
	third.MustWait(t)
	second.Leave()
	third.MustEnter(t)
	third.Leave()
	require.Equal(t, int32(hticketOpen), node.lgrant.Load())
}

// The tree of HMCS has a group for each path and for each that it is in, and a process
// goes from its own group up to the root.
func TestHMCSTree(t *testing.T) {
	tree := HMCS{Nodes: InTurn(2, 2)}.tree(4)
	require.Equal(t, []int{2, 2, 1, 2, 1, 1, 1}, tree.size)
	require.Equal(t, []hmcsStep{{2, 1}, {1, 6}, {0, 5}}, tree.way[0])
	require.Equal(t, []hmcsStep{{5, 3}, {1, 9}, {0, 5}}, tree.way[2])
	require.Equal(t, []hmcsStep{{0, 2}}, HMCS{Nodes: InTurn()}.tree(2).way[1])
}

// Lines 4 to 6 of HCLH: the first of a node appends all that have come, and the others
// of them need not.
func TestHCLHAppendsTogether(t *testing.T) {
	l, err := HCLH{InTurn(2)}.New(4, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.Lock(0) // appends itself
	other := onestep.Enter(l, 1)
	onestep.Until(t, func() bool { return l.global.Load() == 2 })
	behind := onestep.Enter(l, 2) // behind process 0, whose record is spliced: a first again
	onestep.Until(t, func() bool { return l.global.Load() == 3 })
	l.Unlock(0)
	other.MustEnter(t)
	behind.MustWait(t)
	other.Leave()
	behind.MustEnter(t)
	behind.Leave()
}

// The word of HBO is the number of the holder's node.
func TestHBOSaysWhere(t *testing.T) {
	l, err := HBO{InTurn(2)}.New(4, shm.Sequential)
	require.NoError(t, err)
	for i, mark := range []uint32{1, 2, 1, 2} {
		l.Lock(i)
		require.Equal(t, mark, l.word.Load())
		l.Unlock(i)
	}
}

func TestListed(t *testing.T) {
	nodes := Listed([][]int{{0, 1}, {1, 0}})
	require.Equal(t, []int{1, 0}, nodes(1))
	require.Equal(t, []int{0, 1}, nodes(2), "further ones from the begin on")
}
