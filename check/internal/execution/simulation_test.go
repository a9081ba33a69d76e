package execution_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/model"
	"shmbench/check/internal/source"
	"shmbench/internal/testkit/treetest"
)

// petersons is a lock for two processes, with a call that does not wait.
const petersons = `package p

import "sync/atomic"

type L struct {
	want [2]atomic.Bool
	turn atomic.Int32
}

func New(n int) *L { return new(L) }

func (l *L) Lock(i int) {
	l.want[i].Store(true)  // 1
	l.turn.Store(int32(i)) // 2
	for l.want[1-i].Load() && l.turn.Load() == int32(i) { // 3
	}
}

func (l *L) TryLock(i int) bool {
	if l.turn.Swap(int32(i)) == 0 { // 5
		return false
	}
	l.want[i].Store(true) // 6
	return true
}

func (l *L) Unlock(i int) {
	l.want[i].Store(false) // 4
}
`

// nodes is a queue of nodes that processes allocate.
const nodes = `package p

import "sync/atomic"

type node struct{ locked atomic.Bool }

type L struct {
	tail atomic.Pointer[node]
	mine [2]*node
}

func New(n int) *L { return new(L) }

func (l *L) Lock(i int) {
	mine := new(node)
	mine.locked.Store(true)
	l.mine[i] = mine
	if before := l.tail.Swap(mine); before != nil { // 1
		for before.locked.Load() { // 2
		}
	}
}

func (l *L) Unlock(i int) {
	l.mine[i].locked.Store(false) // 3
}
`

// written returns the lock of a text.
func written(t *testing.T, text string) *source.Lock {
	t.Helper()
	p, err := source.Open(t.Context(), treetest.Module(t, text), ".")
	require.NoError(t, err)
	return p.Lock("New")
}

// learner learns a lock for two processes.
func learner(t *testing.T, l *source.Lock) *automaton.Learner {
	t.Helper()
	learned, err := l.Learn(t.Context(), 2, model.Options{})
	require.NoError(t, err)
	return learned.Learner
}

// made makes steps of actors, and returns what each step does.
func made(t *testing.T, run execution.Run, actors ...int) (steps []execution.Step, texts []string) {
	t.Helper()
	for _, a := range actors {
		require.False(t, run.Stands(a), len(steps))
		step, err := execution.MakeStep(run, a)
		require.NoError(t, err)
		steps, texts = append(steps, step), append(texts, fmt.Sprintf("%d: %s", step.Process, step.What()))
	}
	return steps, texts
}

// followed requires that a follower of a trace makes the same steps again.
func followed(t *testing.T, of *automaton.Learner, crashes *explore.Crashes, trace []execution.Step) *execution.Follower {
	t.Helper()
	f := execution.NewFollower(of, crashes)
	for _, want := range trace {
		got, err := f.Step(want)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	return f
}

// cannotStep requires that an actor has no step to make, for a reason.
func cannotStep(t *testing.T, run execution.Run, actor int, why string) {
	t.Helper()
	require.True(t, run.Stands(actor))
	_, err := execution.MakeStep(run, actor)
	require.EqualError(t, err, why)
}

// TestSimulation: on sequentially consistent memory an access finds what was stored last.
func TestSimulation(t *testing.T) {
	of := learner(t, written(t, petersons))
	sim := execution.Simulate(of, of.M.Names(), nil)
	require.Equal(t, explore.Actors{N: 2, Parties: 2}, sim.Actors())
	steps, texts := made(t, sim, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1)
	require.Equal(t, []string{
		"0: 1  want[0] := true",
		"0: 2  turn := 0",
		"1: 1  want[1] := true",
		"1: 2  turn := 1",
		"0: 3  want[1] = true",
		"0: 3  turn = 1 [enters]",
		"1: 3  want[0] = true",
		"1: 3  turn = 1",
		"0: 4  want[0] := false [is done]",
		"1: 3  want[0] = false [enters]",
		"1: 4  want[1] := false [is done]",
	}, texts)
	require.Equal(t, execution.Step{Process: 0, File: "p.go", Line: 15, Label: "3", Op: "load", Register: "turn", Before: "1", After: "1",
		Section: "critical", Turn: "enters"}, steps[5])
	require.Equal(t, "p.go:28", steps[8].Place())
	again := sim.Again()
	_, same := made(t, again, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1)
	require.Equal(t, texts, same)
	followed(t, of, nil, steps)
}

// TestStoreBuffers: a load finds the newest store in the buffer of its own process. Other processes
// find it when it is in memory. Only what the trace says goes into a buffer again.
func TestStoreBuffers(t *testing.T) {
	of := learner(t, written(t, petersons))
	stores := func(pid int, state int32) bool { return of.Procs[pid].Kind(state) == automaton.Writes }
	sim := execution.Simulate(of, of.M.Names(), stores)
	require.Equal(t, explore.Actors{N: 2, Parties: 4}, sim.Actors())
	cannotStep(t, sim, 3, "process 1 has no store in its buffer")
	steps, texts := made(t, sim, 0, 0, 0, 1, 1, 1, 2, 2, 3, 0, 0, 2, 0, 3, 0, 0, 2)
	require.Equal(t, []string{
		"0: 1  want[0] := true",
		"0: 2  turn := 0",
		"0: 3  want[1] = false [enters]",
		"1: 1  want[1] := true",
		"1: 2  turn := 1",
		"1: 3  want[0] = false [enters]",
		"0: 1  want[0] := true is in memory",
		"0: 2  turn := 0 is in memory",
		"1: 1  want[1] := true is in memory",
		"0: 4  want[0] := false [is done]",
		"0: 1  want[0] := true",
		"0: 4  want[0] := false is in memory",
		"0: 2  turn := 0",
		"1: 2  turn := 1 is in memory",
		"0: 3  want[1] = true",
		"0: 3  turn = 0",
		"0: 1  want[0] := true is in memory",
	}, texts)
	require.True(t, steps[0].Buffered)
	require.Equal(t, []string{"false", "true"}, []string{steps[6].Before, steps[6].After})
	require.Equal(t, []string{"entry", "critical"}, []string{steps[16].Section, steps[6].Section})
	require.Len(t, sim.Pending[0], 1)
	require.Empty(t, sim.Pending[1])
	f := followed(t, of, nil, steps)
	require.Equal(t, sim.States, f.States)
	require.Equal(t, sim.Pending, f.Pending)

	// A store with a fence waits until the buffer is empty.
	first := true
	sim = execution.Simulate(of, of.M.Names(), func(int, int32) bool { return first })
	steps, _ = made(t, sim, 0)
	first = false
	cannotStep(t, sim, 0, "process 0 waits until its buffer is empty")
	more, texts := made(t, sim, 2, 0)
	require.Equal(t, []string{"0: 1  want[0] := true is in memory", "0: 2  turn := 0"}, texts)
	require.False(t, more[1].Buffered)
	followed(t, of, nil, append(steps, more...))
}

// TestDecisions: a process decides which call it makes.
func TestDecisions(t *testing.T) {
	of := learner(t, written(t, petersons).Mix())
	sim := execution.Simulate(of, of.M.Names(), nil)
	for _, c := range []struct {
		does string
		want int
	}{{"Lock", 1}, {"TryLock", 3}} {
		actor, err := sim.Actor(1, c.does)
		require.NoError(t, err)
		require.Equal(t, c.want, actor)
	}
	_, err := sim.Actor(1, "")
	require.EqualError(t, err, "the process decides: write 1:Lock or 1:TryLock")
	_, err = sim.Actor(1, execution.Flush)
	require.ErrorContains(t, err, "no store of this lock goes through a store buffer")
	cannotStep(t, sim, 5, "process 1 does not decide that")
	steps, texts := made(t, sim, 2, 0, 3, 1, 1, 1, 2, 0, 0, 0)
	require.Equal(t, []string{
		"0: calls TryLock",
		"0: 5  swap turn: 0",
		"1: calls TryLock",
		"1: 5  swap turn: 0 -> 1",
		"1: calls Lock",
		"1: 1  want[1] := true",
		"0: calls TryLock",
		"0: 5  swap turn: 1 -> 0",
		"0: 6  want[0] := true [enters]",
		"0: 4  want[0] := false [is done]",
	}, texts)
	require.Equal(t, []int{1, 0}, []int{steps[0].Outcome, steps[4].Outcome})
	require.Equal(t, "p.go:19", steps[0].Place())
	_, err = sim.Actor(1, "Lock")
	require.EqualError(t, err, "the process has nothing to decide: write 1")
	actor, err := sim.Actor(1, "")
	require.NoError(t, err)
	require.Equal(t, 1, actor)
	cannotStep(t, sim, 3, "process 1 does not decide that")
	followed(t, of, nil, steps)
}

// TestCrashes: a process that crashes begins again, and memory stays as it is. In its remainder section
// no process crashes.
func TestCrashes(t *testing.T) {
	const none = "no process is there to crash outside its remainder section"
	for _, c := range []struct {
		crashes explore.Crashes
		actors  explore.Actors
		crash   int
		text    string
		step    execution.Step
		after   string // what process 1 does then
	}{
		{explore.Crashes{}, explore.Actors{N: 2, Parties: 4, Crashing: true}, 3, "1: crashes before 3",
			execution.Step{Process: 1, File: "p.go", Line: 15, Label: "3", Op: execution.Crash, Before: "entry", Section: "remainder"}, "0: 2  turn := 0"},
		{explore.Crashes{System: true}, explore.Actors{N: 2, Parties: 3, Crashing: true}, 2, "0: all processes crash",
			execution.Step{Process: 0, File: "p.go", Line: 14, Label: "2", Op: execution.CrashAll, Before: "entry", Section: "remainder"}, "0: 1  want[0] := true"},
	} {
		of := learner(t, written(t, petersons).Crash(c.crashes))
		sim := execution.SimulateCrashes(of, of.M.Names(), c.crashes)
		require.Equal(t, c.actors, sim.Actors())
		cannotStep(t, sim, c.crash, none)
		steps, texts := made(t, sim, 1, 1, 0, c.crash, 1, 0)
		require.Equal(t, []string{"1: 1  want[1] := true", "1: 2  turn := 1", "0: 1  want[0] := true", c.text, "1: 1  want[1] := true", c.after}, texts)
		require.Equal(t, c.step, steps[3])
		again, ok := sim.Again().(*execution.Simulation)
		require.True(t, ok)
		require.Equal(t, c.actors, again.Actors())
		f := followed(t, of, &c.crashes, steps)
		require.Equal(t, sim.States, f.States)
	}
}

// TestNodes: a process that has no node shares a new one. That can be the node of an earlier passage, if
// nothing leads to it any more.
func TestNodes(t *testing.T) {
	of := learner(t, written(t, nodes))
	sim := execution.Simulate(of, of.M.Names(), nil)
	steps, texts := made(t, sim, 0, 1, 1, 0, 1, 1, 0, 0)
	require.Equal(t, []string{
		"0: 1  swap tail: nil -> node#1 [enters]",
		"1: 1  swap tail: node#1 -> node#2",
		"1: 2  node#1.locked = true",
		"0: 3  node#1.locked := false [is done]",
		"1: 2  node#1.locked = false [enters]",
		"1: 3  node#2.locked := false [is done]",
		"0: 1  swap tail: node#2 -> node#1",
		"0: 2  node#2.locked = false [enters]",
	}, texts)
	followed(t, of, nil, steps)
}

// TestGivingUp: a process decides whether it gives up.
func TestGivingUp(t *testing.T) {
	of := learner(t, written(t, `package p

import "sync/atomic"

type L struct{ busy atomic.Bool }

func New(n int) *L { return new(L) }

func (l *L) Lock(int) {
	for l.busy.Swap(true) { // 1
	}
}

func (l *L) LockUntil(i int, giveUp func() bool) bool {
	for l.busy.Swap(true) { // 3
		if giveUp() {
			return false
		}
	}
	return true
}

func (l *L) Unlock(int) {
	l.busy.Store(false) // 2
}
`).Mix())
	sim := execution.Simulate(of, of.M.Names(), nil)
	_, texts := made(t, sim, 2, 0, 3, 1)
	require.Equal(t, []string{"0: calls LockUntil", "0: 3  swap busy: false -> true [enters]", "1: calls LockUntil", "1: 3  swap busy: true"}, texts)
	_, err := sim.Actor(1, "maybe")
	require.EqualError(t, err, "the process decides: write 1:false or 1:true")
	for does, want := range map[string]int{"false": 1, "true": 3} {
		actor, err := sim.Actor(1, does)
		require.NoError(t, err)
		require.Equal(t, want, actor)
	}
	_, texts = made(t, sim, 1, 1, 3)
	require.Equal(t, []string{"1: giveUp() = false", "1: 3  swap busy: true", "1: giveUp() = true [fails]"}, texts)
}
