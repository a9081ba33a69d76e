package forks

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/internal/run/isolate"
	"shmbench/internal/testkit/sample"
	"shmbench/locks/numa"
	"shmbench/locks/queue"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// owns is the lock of the user in the program that a test starts.
const owns = "SHMBENCH_TEST_LOCK"

// TestMain lets the test program be the program that measures.
func TestMain(m *testing.M) {
	ctx := isolate.Tied(context.Background(), func() { os.Exit(2) })
	switch os.Getenv(owns) {
	case "":
		Serve(ctx)
	case "spec":
		serve(ctx, spec("mine/mine"))
	case "taken":
		serve(ctx, spec("queue/mcs"))
	case "dash":
		serve(ctx, spec("my-own/mine"))
	case "function":
		serve(ctx, newOwn)
	case "unlocked":
		serve(ctx, func(int) *unlocked { return new(unlocked) })
	case "hangs":
		serve(ctx, func(int) *hanging { return new(hanging) })
	case "panics":
		serve(ctx, func(int) *unlocked { panic("no such lock") })
	case "panics in Lock":
		serve(ctx, func(int) *panicking { return new(panicking) })
	case "crashes":
		panic("no program")
	case "none":
		serve(ctx, 7)
	}
	flag.Parse()
	os.Exit(m.Run())
}

// spec is the specification of a lock of the user's.
func spec(name string) shm.Algorithm {
	return shm.Algorithm{Name: name, MinProcs: 1, MaxProcs: 3, Class: shm.FetchAndAdd, Claims: shm.Claims{DeadlockFree: true, Bypass: shm.TwoProcs},
		New: func(n int) (shm.Mutex, error) { return newOwn(n) }}
}

func newOwn(n int) (*queue.TicketMutex, error) {
	if err := shm.CheckProcs("mine/mine", n, 1, 3); err != nil {
		return nil, err
	}
	return queue.NewTicket(n, shm.Padded, shm.Sequential)
}

// unlocked lets everybody in.
type unlocked struct{}

func (*unlocked) Lock(int)   {}
func (*unlocked) Unlock(int) {}

// hanging lets no process in.
type panicking struct{ unlocked }

func (*panicking) Lock(int) { panic("in Lock") }

type hanging struct{ unlocked }

func (*hanging) Lock(int) { spin.Until(func() bool { return false }) }

func program(t *testing.T, lock string) Program {
	t.Helper()
	t.Setenv(owns, lock)
	return Program(os.Args[0])
}

// TestDescribe: a program tells the name of the lock, for how many processes it is, and
// its specification if it has one.
func TestDescribe(t *testing.T) {
	d, err := program(t, "spec").Describe(t.Context(), "mylock/New", nil)
	require.NoError(t, err)
	require.Equal(t, []any{"mine/mine", 1, 3}, []any{d.Name, d.MinProcs, d.MaxProcs})
	require.Equal(t, []shm.Mode{shm.Exclusive, shm.Try}, d.Modes)
	require.NotEmpty(t, d.Loop)
	var specification struct {
		Name, Class   string
		BoundedBypass shm.Ranges `json:"bounded_bypass"`
	}
	require.NoError(t, json.Unmarshal(d.Specification, &specification))
	require.Equal(t, "mine/mine", specification.Name)
	require.Equal(t, "fetch-and-add", specification.Class)
	require.Equal(t, shm.Ranges{{1, 2}}, specification.BoundedBypass)

	d, err = program(t, "function").Describe(t.Context(), "mylock/New", []int{2})
	require.NoError(t, err)
	require.Equal(t, []any{"mylock/New", 1, 3}, []any{d.Name, d.MinProcs, d.MaxProcs})
	require.Nil(t, d.Specification, "a function specifies nothing")
	d, err = program(t, "unlocked").Describe(t.Context(), "mylock/New", []int{100, 2})
	require.NoError(t, err)
	require.Equal(t, 100, d.MaxProcs, "it refuses no number that matters")

	for lock, says := range map[string]string{
		"none":    "it must be a specification",
		"taken":   "its specification has the name queue/mcs, which a lock of the catalog has: give it another",
		"dash":    `its specification has the name "my-own/mine": give it a name of letters and digits`,
		"panics":  "it panics: no such lock",
		"crashes": "the program that measures has crashed: panic: no program",
	} {
		_, err := program(t, lock).Describe(t.Context(), "mylock/New", nil)
		require.ErrorContains(t, err, says)
		require.NotContains(t, err.Error(), "\n")
	}
	_, err = Program(os.Args[0]+"none").Describe(t.Context(), "mylock/New", nil)
	require.Error(t, err)
}

// listener notes what it is told.
type listener struct {
	begun  map[string][]int // rounds, by the lock's name
	lines  []bench.Line
	failed []error
}

func (l *listener) Start(bench.Suite) {}

func (l *listener) Begin(c bench.Case, round int) {
	l.begun[c.Algorithm.Name] = append(l.begun[c.Algorithm.Name], round)
}
func (l *listener) Line(line bench.Line) error   { l.lines = append(l.lines, line); return nil }
func (l *listener) Failed(_ bench.Case, e error) { l.failed = append(l.failed, e) }

// TestMeasure: the user's lock and one of the catalog are measured side by side, and a
// lock that does not exclude is found.
func TestMeasure(t *testing.T) {
	sample.NeedsAll(t)
	x := Experiment{Algorithms: []string{"mylock/New", "queue/mcs", "mylock/New" + bench.Again}, Own: "mylock/New", Procs: []int{2}, Count: 2, Duration: 100 * time.Millisecond, Wait: "pause-yield"}
	var cases []bench.Case
	for _, name := range x.Algorithms {
		cases = append(cases, bench.Case{Algorithm: shm.Algorithm{Name: name}, Procs: 2})
	}
	l := &listener{begun: map[string][]int{}}
	require.NoError(t, program(t, "function").Measure(t.Context(), x, cases, 3, 10, l))
	require.Empty(t, l.failed)
	taken := map[string]int{}
	for _, line := range l.lines {
		require.Equal(t, 3, line.Fork)
		if name, w, ok := bench.ParseName(line.Result().Name); ok && w.Procs == 2 {
			taken[name]++
		}
	}
	for _, name := range x.Algorithms {
		require.Equal(t, []int{10, 11}, l.begun[name])
		require.Equal(t, 2, taken[name], name)
	}

	x.Algorithms, x.Count = x.Algorithms[:2], 1
	l = &listener{begun: map[string][]int{}}
	require.NoError(t, program(t, "unlocked").Measure(t.Context(), x, cases[:2], 0, 0, l))
	require.Len(t, l.failed, 1)
	require.ErrorAs(t, l.failed[0], new(*bench.BrokenError))
	require.ErrorContains(t, l.failed[0], "mylock/New: mutual exclusion is violated")

	l = &listener{begun: map[string][]int{}}
	require.NoError(t, program(t, "hangs").Measure(t.Context(), x, cases[:2], 0, 0, l))
	require.Len(t, l.failed, 1)
	require.ErrorAs(t, l.failed[0], new(*bench.StuckError))
	require.ErrorContains(t, l.failed[0], "mylock/New: the lock hangs")
	require.ErrorContains(t, l.failed[0], "process 1: [")
	require.Empty(t, l.begun["queue/mcs"], "its processes are still there")

	l.failed = l.failed[:0]
	x.Algorithms = []string{"queue/none"}
	require.EqualError(t, program(t, "").Measure(t.Context(), x, cases[:1], 0, 0, l), "there is no lock queue/none")
	x.Algorithms, x.Wait = []string{"queue/mcs"}, "never"
	require.Error(t, program(t, "").Measure(t.Context(), x, cases[:1], 0, 0, l))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	x.Wait = "pause-yield"
	require.ErrorIs(t, program(t, "").Measure(ctx, x, cases[:1], 0, 0, l), context.Canceled)
	require.NoError(t, errors.Join(l.failed...))
}

// TestALockThatPanics: a panic in the lock that is being measured is a failure of this lock.
func TestALockThatPanics(t *testing.T) {
	x := Experiment{Algorithms: []string{"mylock/New"}, Own: "mylock/New", Procs: []int{1}, Count: 1, Duration: time.Millisecond, Wait: "pause-yield"}
	l := &listener{begun: map[string][]int{}}
	cases := []bench.Case{{Algorithm: shm.Algorithm{Name: "mylock/New"}, Procs: 1}}
	require.NoError(t, program(t, "panics in Lock").Measure(t.Context(), x, cases, 0, 0, l))
	require.Len(t, l.failed, 1)
	require.ErrorAs(t, l.failed[0], new(*PanicError))
	require.EqualError(t, l.failed[0], "mylock/New: the program that measures has crashed: panic: in Lock")
}

// TestExperiment: an experiment names the locks of a suite, and finds them again where
// their processes are.
func TestExperiment(t *testing.T) {
	all, err := Placed("sockets=1,cores=4", bench.NotPinned)
	require.NoError(t, err)
	s := bench.Suite{Algorithms: all[:2], Procs: []int{2}, Count: 3, Workload: bench.Workload{Lines: 1}, Options: bench.Options{Duration: time.Second, Pin: bench.PinThreads}}
	x := Experiment{Duration: time.Second, Count: 3, Pin: bench.PinThreads, Wait: "pause-yield"}.at(s)
	require.Equal(t, []string{all[0].Name, all[1].Name}, x.Algorithms)
	again, err := x.Suite()
	require.NoError(t, err)
	for i := range s.Algorithms {
		require.Equal(t, s.Algorithms[i].Name, again.Algorithms[i].Name)
	}
	s.Algorithms, again.Algorithms = nil, nil
	require.Equal(t, s, again)

	for where, kind := range map[string]shm.Mutex{"": new(numa.HCLHMutex), "sockets=2,cores=2": new(numa.HCLHMutex), "sockets=1,cores=4": new(queue.CLHMutex)} {
		s, err := Experiment{Algorithms: []string{"numa/hclh"}, Topology: where, Procs: []int{2}, Count: 1, Wait: "yield"}.Suite()
		require.NoError(t, err)
		m, err := s.Algorithms[0].New(2)
		require.NoError(t, err)
		require.IsType(t, kind, m, where)
	}
	for says, x := range map[string]Experiment{
		"is not a level":      {Topology: "two", Wait: "yield"},
		"waiting policy":      {},
		"there is no lock no": {Algorithms: []string{"no"}, Wait: "yield"},
		"nothing to measure":  {Wait: "yield", Count: 1},
	} {
		_, err = x.Suite()
		require.ErrorContains(t, err, says)
	}
}
