package fields

import (
	"testing"

	"github.com/stretchr/testify/require"
)

type inner struct{ numbers []int64 }

type ring struct {
	slots []int
	head  int
}

func (r *ring) Form() any {
	return append(append([]int(nil), r.slots[r.head:]...), r.slots[:r.head]...)
}

type node struct {
	inner
	flag    bool
	id      int32
	votes   []uint8
	lists   [][]int
	other   *inner
	any     interface{ at(i int) int64 }
	pick    func() int
	queue   ring
	scratch []int `state:"scratch"`
}

func (n inner) at(i int) int64 { return n.numbers[i] }

func example() *node {
	return &node{
		inner: inner{[]int64{1, -2}}, flag: true, id: 3, votes: []uint8{4}, lists: [][]int{{5}, {6, 7}}, other: &inner{[]int64{8}},
		any: inner{[]int64{9}}, pick: func() int { return 10 }, queue: ring{[]int{11, 12}, 1}, scratch: []int{13},
	}
}

// changes has a change of each part of a node that is state.
var changes = map[string]func(n *node){
	"embedded":            func(n *node) { n.numbers[1] = 0 },
	"boolean":             func(n *node) { n.flag = false },
	"number":              func(n *node) { n.id++ },
	"slice":               func(n *node) { n.votes[0]++ },
	"length":              func(n *node) { n.votes = append(n.votes, 0) },
	"slice of slices":     func(n *node) { n.lists[1][0]++ },
	"where lists end":     func(n *node) { n.lists = [][]int{{5, 6}, {7}} },
	"behind a pointer":    func(n *node) { n.other.numbers[0]++ },
	"nil pointer":         func(n *node) { n.other = nil },
	"behind an interface": func(n *node) { n.any.(inner).numbers[0]++ },
	"element of a Former": func(n *node) { n.queue.slots[0]++ },
}

func TestEachChangeIsSeenAndStaysInTheClone(t *testing.T) {
	for name, change := range changes {
		n := example()
		before := Append(nil, n)
		c := Clone(n)
		require.Equal(t, before, Append(nil, c), name)
		change(c)
		require.NotEqual(t, before, Append(nil, c), name)
		require.Equal(t, before, Append(nil, n), "%s: a change of the clone reached the original", name)
	}
}

func TestWhatIsNoState(t *testing.T) {
	n := example()
	before := Append(nil, n)
	n.scratch[0]++
	n.queue = ring{[]int{12, 11}, 0} // the same elements, in other slots
	require.Equal(t, before, Append(nil, n))

	c := Clone(n)
	c.scratch[0]++
	require.Equal(t, 14, n.scratch[0])
	require.Equal(t, 10, c.pick())
}

func TestFieldsThatNoNodeMayHave(t *testing.T) {
	type withMap struct{ m map[int]int }
	type withText struct{ s []string }
	require.PanicsWithValue(t, "a node has a field of type map[int]int", func() { Clone(&withMap{m: map[int]int{1: 2}}) })
	require.PanicsWithValue(t, "a node has a field of type string", func() { Clone(&withText{[]string{"a"}}) })
}
