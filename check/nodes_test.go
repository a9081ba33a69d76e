package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

func nodes(t *testing.T, constructor string, o check.Options) *check.Report {
	t.Helper()
	src := check.Testdata(t, "nodes")
	reports, err := src.Once(t.Context(), constructor, o)
	require.NoError(t, err)
	return reports[0]
}

// TestNodes has locks whose nodes are allocated in Lock. They are right, for any
// number of passages, and as first-come-first-served as with nodes that New has
// built; the compiled code does the same.
func TestNodes(t *testing.T) {
	t.Parallel()
	const none = -1 // no bypass is known
	for _, c := range []struct {
		constructor string
		n, bypass   int
		states      int
	}{
		{"NewCLH", 2, 1, 89},
		{"NewCLH", 3, 2, 1150},
		{"NewEarly", 2, 1, 41},
		{"NewEarly", 3, 2, 283},
		{"NewRecycling", 2, 1, 113},
		{"NewRecycling", 3, 2, 1945},
		{"NewCut", 2, 1, 461},
		{"NewMCS", 2, 1, 233},
		{"NewMCS", 3, 2, 4678},
		{"NewSlots", 2, 1, 47},
		{"NewSlots", 3, 2, 340},
		{"NewPlain", 2, 1, 547},
		{"NewUntyped", 2, 1, 85},
		{"NewSliced", 2, 1, 85},
		{"NewK42", 2, none, 104},
		{"NewK42", 3, none, 3887},
		{"NewStack", 2, none, 44},
		{"NewStack", 3, none, 2372},
	} {
		if !sample.Has(fmt.Sprint(c.constructor, c.n), 5) {
			continue
		}
		r := nodes(t, c.constructor, check.Options{N: []int{c.n}, Replays: 2_000, Workers: 1 + c.n%2})
		require.NoError(t, r.Err(), c.constructor)
		require.Zero(t, r.Passages, c.constructor)
		require.Equal(t, c.states, r.States, c.constructor)
		require.Empty(t, r.Replay.Omitted, c.constructor)
		require.Positive(t, r.Replay.Transitions, c.constructor)
		if c.bypass == none {
			require.Equal(t, check.Violated, r.StarvationFreedom, c.constructor)
			continue
		}
		require.Equal(t, check.Holds, r.StarvationFreedom, c.constructor)
		require.Equal(t, check.Holds, r.FCFS, c.constructor)
		require.Equal(t, c.bypass, *r.Bypass, c.constructor)
	}
}

// TestBrokenNodes has the same locks with a wrong step. An execution shows each error,
// and the compiled code makes the same execution.
func TestBrokenNodes(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	for _, c := range []struct {
		constructor, property string
		passages              int
		step                  string
	}{
		{"NewOwn", check.DeadlockFreedom, 0, "swap tail: clhNode#1 "},
		{"NewHasty", check.DeadlockFreedom, 0, "mcsNode#1.next := mcsNode#2"},
		{"NewBlind", check.BoundedBypass, 0, "tail := nil [is done]"},
		{"NewLate", check.DeadlockFreedom, 0, "mcsNode#2.locked := true"},
		{"NewRacing", check.PanicFreedom, 0, "plain plainNode#2.from = -1"},
		{"NewRacing", check.DataRaceFreedom, 0, "plainNode#2.ok := true"},
		{"NewUnlinked", check.MutualExclusion, 0, "mcsNode#2.next := mcsNode#1 [enters]"},
		{"NewLost", check.DeadlockFreedom, 0, "mcsNode#1.next := mcsNode#2"},
		{"NewSevered", check.MutualExclusion, 0, "mcsNode#2.locked = false [enters]"},
		{"NewReused", check.MutualExclusion, 2, "compare-and-swap top: top.next.next -> top.next"},
	} {
		r := nodes(t, c.constructor, check.Options{N: []int{2}, Passages: c.passages, Replays: 1_000})
		trace := r.Counterexample(c.property)
		require.NotNil(t, trace, "%s: %s", c.constructor, c.property)
		require.Contains(t, trace.String(), c.step, c.constructor)
		require.Empty(t, r.Replay.Omitted, c.constructor)
		require.Equal(t, len(r.Counterexamples), r.Replay.Counterexamples, c.constructor)
	}
	r := nodes(t, "NewPermits", check.Options{N: []int{2}, Passages: 2})
	require.True(t, r.MutualExclusion.Holds(), "the collector keeps what somebody looks at, so that it is not found again as another")
}

// TestNodesLimited: a process that has made all its passages holds no memory any
// more, whether it still has an address or not.
func TestNodesLimited(t *testing.T) {
	for constructor, n := range map[string]int{"NewKeeps": 2, "NewRecycling": 3, "NewSlots": 3} {
		r := nodes(t, constructor, check.Options{N: []int{n}, Passages: 2, Replays: 1_000})
		require.Empty(t, r.Violated(), constructor)
		require.True(t, r.Exhausted, constructor)
	}
}

// TestNodesPassages: where the first access of Lock publishes a node, a process makes
// as many passages as it may, as with nodes that New has built.
func TestNodesPassages(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	for _, passages := range []int{1, 2, 3} {
		r := nodes(t, "NewCLH", check.Options{N: []int{2}, Passages: passages, Replays: 200})
		require.Empty(t, r.Violated())
		require.True(t, r.Exhausted)
		// A passage of CLH alone is a swap, a load that finds it free, and a store.
		r = nodes(t, "NewCLH", check.Options{N: []int{1}, Passages: passages})
		require.Equal(t, 3*passages+1, r.States)
	}
}

// TestPiling: where each node leads to the one before it, none is ever free, and
// the verdicts are within two passages; they say why.
func TestPiling(t *testing.T) {
	sample.NeedsAll(t)
	r := nodes(t, "NewLinked", check.Options{N: []int{2}, Replays: 1_000})
	require.Equal(t, check.Verdict("holds within 2 passages"), r.MutualExclusion)
	require.ErrorContains(t, r.Err(), "more and more memory that Lock or Unlock has allocated can be reached")
	r = nodes(t, "NewLinked", check.Options{N: []int{2}, Passages: 9})
	require.Equal(t, check.Unknown, r.MutualExclusion)
	require.Contains(t, r.Undecided[0].Why,
		"more than 8 variables of type nodes.linkedNode that one process has allocated in Lock or Unlock can be reached at once")
}

// TestNodesRefused has what is not modeled of memory that is allocated in Lock.
func TestNodesRefused(t *testing.T) {
	r := nodes(t, "NewParts", check.Options{N: []int{2}})
	require.Contains(t, r.Refused, "plain.go:")
	require.Contains(t, r.Refused, "shares a part of a variable that Lock or Unlock has allocated")
	r = nodes(t, "NewMCS", check.Options{N: []int{2}, Registers: shm.Regular})
	require.Contains(t, r.Undecided[0].Why, "are not explored where Lock or Unlock shares memory")
	require.Error(t, r.Err())
}

// TestNodesFences: which stores of locks that allocate in Lock need their fence. Where
// two processes meet without one, the lock may use memory that it does not touch
// otherwise; what is in a store buffer keeps its memory.
func TestNodesFences(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	for _, c := range []struct {
		constructor string
		lost        []string
		needed      []string // labels of the stores that need their fence
		removable   int
	}{
		{"NewCLH", nil, nil, 1},
		{"NewMCS", nil, nil, 4},
		{"NewK42", []string{check.StarvationFreedom}, nil, 6},
		{"NewInterest", []string{check.MutualExclusion}, []string{"2"}, 2},
		{"NewMeets", []string{check.MutualExclusion}, []string{"2"}, 3},
		{"NewTrailing", []string{check.StarvationFreedom, check.BoundedBypass}, nil, 4},
		{"NewHasty", []string{check.DeadlockFreedom, check.StarvationFreedom}, nil, 4},
	} {
		r := nodes(t, c.constructor, check.Options{N: []int{2}, TSO: true, Replays: 1_000})
		require.True(t, r.Exhausted, c.constructor)
		var lost, needed []string
		for _, t := range r.Counterexamples {
			lost = append(lost, t.Property)
		}
		require.Subset(t, lost, c.lost, c.constructor)
		for _, s := range r.Fences.Stores {
			if s.Needed {
				needed = append(needed, s.Label)
			}
		}
		require.Equal(t, c.lost == nil, len(lost) == 0, c.constructor)
		require.Equal(t, c.needed, needed, c.constructor)
		require.Len(t, r.Fences.Removable, c.removable, c.constructor)
		require.Equal(t, len(r.Counterexamples), r.Replay.Counterexamples, c.constructor)
		require.Positive(t, r.Replay.Transitions, c.constructor)
	}
	r := nodes(t, "NewReleased", check.Options{N: []int{2}, Replays: 1_000})
	require.NoError(t, r.Err())
	require.Equal(t, "tso", r.Memory)
	require.Equal(t, check.Holds, r.FCFS)
	require.Equal(t, 1, *r.Bypass)
}

// TestNodesRMR counts remote references as for nodes that New has built, but
// for the first writes, which only their process can see.
func TestNodesRMR(t *testing.T) {
	r := nodes(t, "NewSlots", check.Options{N: []int{2}})
	require.Equal(t, []int{2, 6, 1, 6, 2, 4}, []int{*r.RMR.WriteThrough.Alone, *r.RMR.WriteThrough.Among,
		*r.RMR.WriteBack.Alone, *r.RMR.WriteBack.Among, *r.RMR.DSM.Alone, *r.RMR.DSM.Among})
}

// TestNodesDrawn draws what is shared, and the slot that it gets.
func TestNodesDrawn(t *testing.T) {
	var b strings.Builder
	nodes(t, "NewSlots", check.Options{N: []int{2}, Dot: &check.Dot{W: &b, Process: 0}})
	require.Contains(t, b.String(), `[label="shares mcsNode#1"]`)
}
