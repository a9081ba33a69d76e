package tournament

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/locks/dekker"
	"shmbench/shm"
)

// A recorder is a node that writes down who enters and leaves it.
type recorder struct {
	name int
	log  *[]string
}

func (r *recorder) Lock(side int)   { *r.log = append(*r.log, fmt.Sprintf("+%d.%d", r.name, side)) }
func (r *recorder) Unlock(side int) { *r.log = append(*r.log, fmt.Sprintf("-%d.%d", r.name, side)) }

func newRecorded(t *testing.T, shape Shape, n int) (*Tree, *[]string) {
	log := new([]string)
	tree, err := NewTree("test/tree", n, shape, func() (shm.Mutex, error) { return &recorder{log: log}, nil })
	require.NoError(t, err)
	for v, node := range tree.node {
		if node != nil {
			node.(*recorder).name = v
		}
	}
	return tree, log
}

// The notes' numbering for n = 8: process i begins at node 4 + floor(i/2) as
// side i mod 2, climbs to the root, and leaves from the root down.
func TestPathsOfEightProcesses(t *testing.T) {
	tree, log := newRecorded(t, Complete(2), 8)
	paths := [8][]string{
		{"+4.0", "+2.0", "+1.0", "-1.0", "-2.0", "-4.0"},
		{"+4.1", "+2.0", "+1.0", "-1.0", "-2.0", "-4.1"},
		{"+5.0", "+2.1", "+1.0", "-1.0", "-2.1", "-5.0"},
		{"+5.1", "+2.1", "+1.0", "-1.0", "-2.1", "-5.1"},
		{"+6.0", "+3.0", "+1.1", "-1.1", "-3.0", "-6.0"},
		{"+6.1", "+3.0", "+1.1", "-1.1", "-3.0", "-6.1"},
		{"+7.0", "+3.1", "+1.1", "-1.1", "-3.1", "-7.0"},
		{"+7.1", "+3.1", "+1.1", "-1.1", "-3.1", "-7.1"},
	}
	for i, path := range paths {
		*log = nil
		tree.Lock(i)
		tree.Unlock(i)
		require.Equal(t, path, *log, "process %d", i)
	}
}

// Of five processes in the minimal tree, the first three have a path of two
// nodes, the last two one of three: their leaves are 5 to 9.
func TestPathsOfFiveProcesses(t *testing.T) {
	tree, log := newRecorded(t, Minimal(2), 5)
	paths := [5][]string{
		{"+2.1", "+1.0", "-1.0", "-2.1"},
		{"+3.0", "+1.1", "-1.1", "-3.0"},
		{"+3.1", "+1.1", "-1.1", "-3.1"},
		{"+4.0", "+2.0", "+1.0", "-1.0", "-2.0", "-4.0"},
		{"+4.1", "+2.0", "+1.0", "-1.0", "-2.0", "-4.1"},
	}
	for i, path := range paths {
		*log = nil
		tree.Lock(i)
		tree.Unlock(i)
		require.Equal(t, path, *log, "process %d", i)
	}
}

// For a power of two the trees are the same.
func TestTreesOfAPowerOfTwo(t *testing.T) {
	for k := range 7 {
		n := 1 << k
		complete, inComplete := newRecorded(t, Complete(2), n)
		minimal, inMinimal := newRecorded(t, Minimal(2), n)
		for i := range n {
			complete.Lock(i)
			minimal.Lock(i)
		}
		require.Equal(t, *inComplete, *inMinimal, "n = %d", n)
	}
}

// No two processes ever take the same place at the same node, except those
// whose contest below decided which of them comes; and in the minimal tree all
// places are taken, where the number of processes allows that.
func TestEachPlaceAtANodeHasOneSubtree(t *testing.T) {
	for _, shape := range []Shape{Complete(2), Minimal(2), Complete(3), Minimal(3), Complete(4)} {
		for n := 1; n <= 33; n++ {
			tree, log := newRecorded(t, shape, n)
			below := map[string]string{} // node and place -> the node whose winner takes it
			for i := range n {
				*log = nil
				tree.Lock(i)
				from := fmt.Sprint("process ", i)
				for _, step := range *log {
					if known, seen := below[step]; seen {
						require.Equal(t, known, from, "n = %d: %s", n, step)
					}
					below[step] = from
					from = step[:len(step)-2]
				}
			}
			if shape.minimal && (n-1)%(shape.places-1) == 0 {
				require.Len(t, below, shape.places*shape.nodes(n), "every place is taken")
			}
		}
	}
}

// Nodes above no process are not built; the rest is what the specifications count.
func TestNodesBuilt(t *testing.T) {
	for shape, built := range map[Shape]map[int]int{
		Complete(2): {1: 0, 2: 1, 3: 3, 4: 3, 5: 6, 8: 7, 1024: 1023},
		Minimal(2):  {1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 8: 7, 1023: 1022},
		Complete(3): {1: 0, 2: 1, 3: 1, 4: 3, 7: 4, 9: 4, 10: 7},
		Minimal(3):  {1: 0, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 9: 4, 10: 5},
	} {
		for n, nodes := range built {
			tree, _ := newRecorded(t, shape, n)
			count := 0
			for _, node := range tree.node {
				if node != nil {
					count++
				}
			}
			require.Equal(t, nodes, count, "n = %d", n)
			require.Equal(t, nodes, shape.nodes(n), "n = %d", n)
		}
	}
	require.Equal(t, 18, Priority(shm.Packed, shm.Sequential).Space.Count(5))
	require.Equal(t, 12, PetersonBuhr(shm.Packed, shm.Sequential).Space.Count(5))
}

// With three places a node, five processes need three nodes in the complete tree and
// two in the minimal one, in which two processes begin at the root.
func TestPathsWithThreePlaces(t *testing.T) {
	for shape, paths := range map[Shape][5]string{
		Complete(3): {"+2.0 +1.0", "+2.1 +1.0", "+2.2 +1.0", "+3.0 +1.1", "+3.1 +1.1"},
		Minimal(3):  {"+1.1", "+1.2", "+2.0 +1.0", "+2.1 +1.0", "+2.2 +1.0"},
	} {
		tree, log := newRecorded(t, shape, 5)
		for i, path := range paths {
			*log = nil
			tree.Lock(i)
			require.Equal(t, path, strings.Join(*log, " "), "process %d", i)
		}
	}
}

func TestShapesRefuseOnePlace(t *testing.T) {
	require.PanicsWithValue(t, "tournament: a node with 1 places: it must have 2 or more", func() { Complete(1) })
	require.PanicsWithValue(t, "tournament: a node with 0 places: it must have 2 or more", func() { Minimal(0) })
}

func TestNewTreeReturnsTheNodesError(t *testing.T) {
	broken := errors.New("no node today")
	_, err := NewTree("test/tree", 2, Complete(2), func() (shm.Mutex, error) { return nil, broken })
	require.ErrorIs(t, err, broken)
}

func ExampleNewTree() {
	spec := Peterson(shm.Packed, shm.Sequential)
	lock, err := spec.New(5) // three of the eight leaves belong to no process
	if err != nil {
		fmt.Println(err)
		return
	}
	for pid := range 5 {
		lock.Lock(pid)
		fmt.Print(pid, " ")
		lock.Unlock(pid)
	}
	// Output: 0 1 2 3 4
}

// Any lock for as many processes as a node has places makes a tree.
func ExampleTournament() {
	dekkers := Tournament{
		Name:  "my/dekkers",
		Title: "Tournament of Dekker's locks",
		Node:  dekker.Dekker,
		Flag:  "flag",
		Shape: Minimal(2),
	}
	spec := dekkers.Spec(shm.Padded, shm.Sequential)
	fmt.Println("starvation-free:", spec.Claims.StarvationFree)
	for _, r := range spec.Space {
		fmt.Printf("%s: %v\n", r.Name, r.Count)
	}
	lock, err := spec.New(8)
	if err != nil {
		fmt.Println(err)
		return
	}
	lock.Lock(5)
	lock.Unlock(5)
	// Output:
	// starvation-free: true
	// flag: 2(n-1)
	// turn: n-1
}
