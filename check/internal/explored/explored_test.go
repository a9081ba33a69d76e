package explored_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/check/internal/symmetry"
	"shmbench/internal/testkit/treetest"
	"shmbench/shm"
)

const before = `package p

import "sync/atomic"

type L struct {
	busy atomic.Bool
	want [2]atomic.Bool
	turn atomic.Int32
}

func New(n int) *L { return new(L) }

`

// testAndSet waits by its first access.
const testAndSet = before + `
func (l *L) Lock(int) {
	for l.busy.Swap(true) { // 1
	}
}

func (l *L) Unlock(int) { l.busy.Store(false) }
`

// petersons has a doorway of two lines.
const petersons = before + `
func (l *L) Lock(i int) {
	l.want[i].Store(true)  // 1
	l.turn.Store(int32(i)) // 2
	for l.want[1-i].Load() && l.turn.Load() == int32(i) { // 3
	}
}

func (l *L) Unlock(i int) { l.want[i].Store(false) }
`

// delayed is Peterson's lock with stores of no use behind the doorway.
const delayed = before + `
func (l *L) Lock(i int) {
	l.want[i].Store(true)
	l.turn.Store(int32(i))
	l.turn.Store(int32(i))
	l.turn.Store(int32(i))
	l.turn.Store(int32(i))
	for l.want[1-i].Load() && l.turn.Load() == int32(i) {
	}
}

func (l *L) Unlock(i int) { l.want[i].Swap(false) }
`

// refused does what cannot be modeled where it would have to wait.
const refused = before + `
func (l *L) Lock(int) {
	if l.busy.Swap(true) {
		go func() {}()
	}
}

func (l *L) Unlock(int) { l.busy.Store(false) }
`

// wide stores more values than a load that overlaps them may return.
const wide = before + `
func (l *L) Lock(i int) {
	for k := range int32(65) {
		l.turn.Store(k)
	}
	for l.busy.Swap(true) {
	}
	if l.turn.Load() == 3 {
		l.turn.Load()
	}
}

func (l *L) Unlock(int) { l.busy.Store(false) }
`

// twice begins with an access that it makes twice, and does not wait there.
const twice = before + `
func (l *L) Lock(i int) {
	for range 2 {
		l.want[i].Store(true)
	}
	for l.busy.Swap(true) {
	}
}

func (l *L) Unlock(int) { l.busy.Store(false) }
`

// flickers has a register that once it is set stays so if it is atomic. A process sets the turn if it finds anything else.
const flickers = before + `
func (l *L) Lock(i int) {
	l.want[0].Store(true)
	if l.want[0].Load() && !l.want[0].Load() {
		l.turn.Store(1)
	}
}

func (l *L) Unlock(int) { l.turn.Load() }
`

// tickets takes numbers that grow without end.
const tickets = `package p

import "sync/atomic"

type L struct{ number [2]atomic.Uint64 }

func New(n int) *L { return new(L) }

func (l *L) Lock(i int) {
	mine := l.number[1-i].Load() + 1
	l.number[i].Store(mine)
	for {
		if other := l.number[1-i].Load(); other == 0 || other > mine {
			break
		}
	}
}

func (l *L) Unlock(i int) { l.number[i].Store(0) }
`

// hasty has a TryLock that never waits and never succeeds.
const hasty = testAndSet + `
func (l *L) TryLock(int) bool { return l.turn.Load() == 1 }
`

// learned returns the lock of a text, as it is learned for two processes.
func learned(t *testing.T, text string, spec *shm.Algorithm) (*source.Lock, *model.Lock) {
	t.Helper()
	l := written(t, text)
	l.Spec = spec
	return l, learn(t, l, 2)
}

// written returns the lock of a text.
func written(t *testing.T, text string) *source.Lock {
	t.Helper()
	p, err := source.Open(t.Context(), treetest.Module(t, text), ".")
	require.NoError(t, err)
	return p.Lock("New")
}

func learn(t *testing.T, l *source.Lock, n int) *model.Lock {
	t.Helper()
	known, err := l.Learn(t.Context(), n, model.Options{})
	require.NoError(t, err)
	return known
}

// stores go into buffers, also those that have a fence.
func stores(l *source.Lock) *explored.Stores {
	return &explored.Stores{
		Marks:   l.Marks,
		Local:   func(l *automaton.Local) bool { return l.Kind == automaton.Writes },
		Learned: func(l *automaton.Learner, pid int, s int32) bool { return l.Procs[pid].Kind(s) == automaton.Writes },
	}
}

// TestDoorways: the doorway ends where the specification says, or else where a process may have to wait. A process that waits
// by its first access has none. It is wait-free if no process waits before its end.
func TestDoorways(t *testing.T) {
	doorway := func(label string) *shm.Algorithm { return &shm.Algorithm{Claims: shm.Claims{Doorway: label}} }
	type found struct {
		past           [][]bool // by process and local state
		waitFree, ends bool
		mark           int64
		ok             bool
	}
	both := func(past ...bool) [][]bool { return [][]bool{past, past} }
	for _, c := range []struct {
		name, text string
		spec       *shm.Algorithm
		want       found
	}{
		{"waits at once", testAndSet, nil, found{nil, true, true, 0, false}},
		{"no claim", testAndSet, &shm.Algorithm{}, found{both(false, false, true), true, true, automaton.PastLoop, true}},
		{"the doorway never ends", testAndSet, doorway("1"), found{both(false, false, false), false, true, automaton.PastDoorway, true}},
		{"no such line", testAndSet, doorway("7"), found{both(false, false, false), false, false, automaton.PastDoorway, true}},
		{"the first access again", twice, nil, found{both(false, false, true, false), true, true, automaton.PastLoop, true}},
		{"no specification", petersons, nil, found{both(false, false, true, false, true), true, true, automaton.PastLoop, true}},
		{"up to the loop", petersons, doorway("2"), found{both(false, false, true, false, true), true, true, automaton.PastDoorway, true}},
		{"earlier", petersons, doorway("1"), found{both(false, true, true, false, true), true, true, automaton.PastDoorway, true}},
		{"up to the critical section", petersons, doorway("3"), found{both(false, false, false, false, false), false, true, automaton.PastDoorway, true}},
	} {
		l, known := learned(t, c.text, c.spec)
		x := explored.Consistent(t.Context(), l, known, explore.Options{}).Complete()
		require.True(t, x.Exhausted())
		require.NoError(t, x.Stopped)
		var got found
		got.past, got.waitFree = x.Doorways(shm.Exclusive)
		got.ends = x.DoorwayEnds()
		got.mark, got.ok = x.CrashDoorway()
		require.Equal(t, c.want, got, c.name)
	}
}

// TestStoreOrder: buffers grow until none is ever full, or enough is known, or the states are too many.
func TestStoreOrder(t *testing.T) {
	never := func(*explored.Lock) bool { return false }
	for _, c := range []struct {
		name, text string
		most       int // states
		enough     func(*explored.Lock) bool
		capacity   int // that did not do, 0 if it did
		excludes   bool
	}{
		{"few stores", testAndSet, 0, never, 0, true},
		{"enough is known", petersons, 0, explored.ExclusionViolated, explored.FirstBuffered, false},
		{"too many states", petersons, 3000, never, explored.FirstBuffered, false},
		{"more stores", delayed, 0, never, 0, false},
		{"more stores, and enough is known", delayed, 0, explored.ExclusionViolated, explored.FirstBuffered, false},
	} {
		l, known := learned(t, c.text, nil)
		x, err := explored.NewStoreOrder(t.Context(), l, explore.Options{MaxStates: c.most}, true).Explore(known, stores(l), c.enough)
		require.NoError(t, err, c.name)
		require.Equal(t, execution.Terms{Memory: "tso", Unfenced: true, BufferedStores: c.capacity}, x.Memory.Terms(), c.name)
		require.Equal(t, c.excludes, !explored.ExclusionViolated(x), c.name)
		require.True(t, x.Exhausted(), c.name)
	}
}

// TestAsWritten: a lock is explored under total store order if it has stores with release order.
func TestAsWritten(t *testing.T) {
	p, err := source.Open(t.Context(), "", "shmbench/check/testdata/locks")
	require.NoError(t, err)
	for _, c := range []struct {
		constructor, memory string
		excludes            bool
		capacity            int // that did not do, 0 if it did
	}{{"NewTAS", "sc", true, 0}, {"NewFlags", "tso", true, 0}, {"NewFlagsReleased", "tso", false, explored.FirstBuffered}} {
		l := p.Lock(c.constructor)
		known, err := l.Learn(t.Context(), 2, model.Options{})
		require.NoError(t, err)
		x, err := explored.AsWritten(t.Context(), l, known, explore.Options{})
		require.NoError(t, err)
		require.Equal(t, execution.Terms{Memory: c.memory, BufferedStores: c.capacity}, x.Memory.Terms(), c.constructor)
		require.Equal(t, c.excludes, !explored.ExclusionViolated(x), c.constructor)
		if c.memory == "tso" {
			_, err = explored.AsWritten(t.Context(), l, known, explore.Options{Checkpoint: new(explore.Checkpoint)})
			require.EqualError(t, err, "a search of a lock with release stores has no checkpoint")
		}
	}
}

// TestStopped: a lock is not fully explored where something cannot be modeled, or where too many outcomes are possible.
func TestStopped(t *testing.T) {
	l, known := learned(t, refused, nil)
	x := explored.Consistent(t.Context(), l, known, explore.Options{}).Complete()
	require.ErrorContains(t, x.Stopped, "starts a goroutine")
	require.False(t, x.Exhausted())
	require.Nil(t, x.Space.Deadlock(), "what comes before is judged, and nothing else")
	l = written(t, wide)
	x, err := explored.NotAtomic(t.Context(), l, learn(t, l, 1), explore.Options{}, shm.Safe)
	require.NoError(t, err)
	require.EqualError(t, x.Stopped, "an access that overlaps a write may have 65 outcomes, and no more than 64 are explored for so many processes")
	require.False(t, x.Exhausted())
	require.Zero(t, x.Graph.States)
}

// TestNotAtomic: a value that occurs only on registers that are not atomic is learned, and no execution is cut off for it.
func TestNotAtomic(t *testing.T) {
	l, known := learned(t, flickers, nil)
	values := func(learned *model.Lock) map[string]int {
		counts := map[string]int{}
		for _, r := range learned.Model.Regs {
			counts[learned.Learner.M.Names().Cell(r.At)] = len(r.Values)
		}
		return counts
	}
	require.Equal(t, map[string]int{"want[0]": 2, "turn": 1}, values(known))
	x, err := explored.NotAtomic(t.Context(), l, known, explore.Options{}, shm.Safe)
	require.NoError(t, err)
	require.Equal(t, execution.Terms{Memory: "sc", Registers: shm.Safe}, x.Memory.Terms())
	require.Equal(t, map[string]int{"want[0]": 2, "turn": 2}, values(x.Learned))
	require.True(t, x.Exhausted())
}

// TestAtomicStays: a word that is swapped stays atomic.
func TestAtomicStays(t *testing.T) {
	l, known := learned(t, testAndSet, nil)
	x, err := explored.NotAtomic(t.Context(), l, known, explore.Options{}, shm.Safe)
	require.NoError(t, err)
	require.True(t, x.Exhausted())
	require.False(t, explored.ExclusionViolated(x))
	require.Equal(t, 7, x.Graph.States)
}

// TestCut: a register without bounds keeps the values that it has if it is atomic.
func TestCut(t *testing.T) {
	l, known := learned(t, tickets, nil)
	require.NotEmpty(t, known.Unbounded)
	x, err := explored.NotAtomic(t.Context(), l, known, explore.Options{}, shm.Safe)
	require.NoError(t, err)
	require.Equal(t, execution.Terms{Memory: "sc", Registers: shm.Safe, Overflows: true}, x.Memory.Terms())
	require.Len(t, x.Learned.Model.Regs, len(known.Model.Regs))
	for r, reg := range known.Model.Regs {
		require.Len(t, x.Learned.Model.Regs[r].Values, len(reg.Values))
	}
}

// TestMixed: the space of a lock in all modes tells which call a process makes.
func TestMixed(t *testing.T) {
	l := written(t, hasty)
	for _, of := range []*source.Lock{l, l.Mix()} {
		x := explored.Consistent(t.Context(), of, learn(t, of, 2), explore.Options{}).Complete()
		require.Equal(t, of.Mixed, x.Space.LoneFailure() != nil)
	}
}

// TestReduced: states are counted up to symmetries. Each stands for those that a symmetry makes of it.
func TestReduced(t *testing.T) {
	for _, c := range []struct {
		name      string
		opts      explore.Options
		states    int
		kept      bool
		schedules int
		paths     [][]int // to the last state, by symmetry
	}{
		{"edges", explore.Options{}, 7, true, 10, [][]int{{1, 0, 1}}},
		{"states", explore.Options{StatesOnly: true}, 7, false, 0, [][]int{{1, 0, 1}}},
		{"states up to symmetries", explore.Options{StatesOnly: true, Symmetries: symmetry.Of}, 4, false, 0, [][]int{{0, 1, 0}, {1, 0, 1}}},
	} {
		l, known := learned(t, testAndSet, nil)
		x := explored.Consistent(t.Context(), l, known, c.opts).Complete()
		require.Equal(t, c.states, x.Graph.States, c.name)
		require.Equal(t, c.kept, x.Space != nil, c.name)
		_, count := x.Transitions()
		require.Equal(t, c.schedules, count, c.name)
		require.Len(t, x.Orbit(explore.Image{}), len(c.paths), c.name)
		for k, path := range c.paths {
			require.Equal(t, path, x.PathTo(uint32(x.Graph.States-1), k), c.name)
		}
		require.Equal(t, 7, x.Unfolded(t.Context(), 1<<20).Graph.States, c.name)
	}
}

// TestKindName: the last part of a name, without its index or its number.
func TestKindName(t *testing.T) {
	for name, kind := range map[string]string{"node[2].q[1]": "q", "busy": "busy", "node#1.locked": "locked", "want[0]": "want", "node#3": "node", "#1": "#1"} {
		require.Equal(t, kind, explored.KindName(name), name)
	}
}

// TestMissing: a value that occurs only with store buffers is learned.
func TestMissing(t *testing.T) {
	l, known := learned(t, before+`
func (l *L) Lock(i int) {
	l.want[i].Store(true)
	if l.want[1-i].Load() || l.busy.Swap(true) {
		l.turn.Store(1)
	}
}

func (l *L) Unlock(i int) {
	l.turn.Load()
	l.busy.Swap(false)
	l.want[i].Swap(false)
}
`, nil)
	x, err := explored.NewStoreOrder(t.Context(), l, explore.Options{}, true).Explore(known, stores(l), explored.ExclusionViolated)
	require.NoError(t, err)
	require.NotContains(t, x.Graph.Bad, explore.Missing)
	known.Seen[len(known.Seen)-1] = []bool{true} // as if the last register had its first value alone
	x, err = explored.NewStoreOrder(t.Context(), l, explore.Options{}, true).Explore(known, stores(l), explored.ExclusionViolated)
	require.NoError(t, err)
	require.NotContains(t, x.Graph.Bad, explore.Missing)
}
