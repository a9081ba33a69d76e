package bench

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/deadline"
	"shmbench/locks/baseline"
	"shmbench/shm"
)

// heard is a Listener that writes down what it hears.
type heard struct {
	begun  []string
	lines  []string
	all    []Line
	broken []string
	refuse error
}

func (n *heard) Start(Suite) {}

func (n *heard) Begin(c Case, round int) {
	n.begun = append(n.begun, fmt.Sprint(round, " ", c.Algorithm.Name, " ", c.Procs))
}

func (n *heard) Line(l Line) error {
	n.lines = append(n.lines, l.Name)
	n.all = append(n.all, l)
	return n.refuse
}

func (n *heard) Failed(c Case, err error) {
	if !errors.Is(err, ErrIdle) {
		n.broken = append(n.broken, c.Algorithm.Name)
	}
}

func pair(t *testing.T) []shm.Algorithm {
	return []shm.Algorithm{get(t, "peterson/peterson"), get(t, "queue/ticket")}
}

func TestASuiteInterleaves(t *testing.T) {
	s := Suite{Algorithms: pair(t), Procs: []int{2, 3}, Count: 2, Options: brief}
	deadline.Try(t, 0.1, func() bool { // a busy machine may leave a sample without passages
		var n heard
		require.NoError(t, s.Run(t.Context(), &n))
		require.Equal(t, []string{
			"0 peterson/peterson 2", "0 queue/ticket 2", "0 queue/ticket 3",
			"1 peterson/peterson 2", "1 queue/ticket 2", "1 queue/ticket 3",
		}, n.begun)
		count := map[string]int{}
		for _, l := range n.lines {
			count[l]++
		}
		require.Equal(t, 2, count["Machine/op=store-uint32"])
		return count["Passage/alg=baseline-null/procs=1/cs=0/ncs=0"] == 2 &&
			count["Passage/alg=peterson-peterson/procs=2/cs=0/ncs=0"] > 0 && count["Passage/alg=queue-ticket/procs=3/cs=0/ncs=0"] > 0
	})
	_, skipped := s.Cases()
	require.Len(t, skipped, 1)
	require.Equal(t, 3, skipped[0].Procs)
}

// late is a lock whose first passage takes longer than a window of a millisecond can be.
type late struct{ first bool }

func (l *late) Lock(int) {
	if l.first {
		time.Sleep(200 * time.Millisecond)
		l.first = false
	}
}

func (*late) Unlock(int) {}

// TestAnIdleSampleIsTakenAgain: a window without a passage is no sample, and another is tried.
func TestAnIdleSampleIsTakenAgain(t *testing.T) {
	built := 0
	a := shm.Algorithm{Name: "a/late", MinProcs: 1, MaxProcs: 1, New: func(int) (shm.Mutex, error) {
		built++
		return &late{built == 1}, nil
	}}
	s := Suite{Algorithms: []shm.Algorithm{a}, Procs: []int{1}, Count: 1, Options: Options{Duration: time.Millisecond}}
	sample, err := s.sample(t.Context(), Case{a, 1}, nil, new(Sample))
	require.NoError(t, err)
	require.Positive(t, sample.Passages)
}

func TestASuiteRefuses(t *testing.T) {
	good := Suite{Algorithms: pair(t), Procs: []int{1}, Count: 1, Options: brief}
	require.NoError(t, good.Validate())
	bad := good
	bad.Procs = []int{1, 0}
	require.ErrorContains(t, bad.Validate(), "0 processes")
	bad = good
	bad.Count = 0
	require.ErrorContains(t, bad.Validate(), "0 samples")
	bad = good
	bad.Algorithms, bad.Procs = bad.Algorithms[:1], []int{3}
	require.ErrorContains(t, bad.Validate(), "nothing to measure: peterson/peterson: cannot be built for n = 3, only for 1 to 2")
	bad = good
	bad.Procs = nil
	require.ErrorContains(t, bad.Validate(), "no number of processes")
	bad = good
	bad.Procs, bad.Options.Pin = []int{1000}, PinCores
	require.ErrorContains(t, bad.Validate(), "pin")
}

func TestASuiteEndsWithItsContextAndItsListener(t *testing.T) {
	s := Suite{Algorithms: pair(t), Procs: []int{1}, Count: 1, Options: Options{Duration: time.Millisecond}}
	full := errors.New("disk full")
	require.ErrorIs(t, s.Run(t.Context(), &heard{refuse: full}), full)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var n heard
	require.ErrorIs(t, s.Run(ctx, &n), context.Canceled)
	require.Empty(t, n.lines)
}

func TestASuiteLeavesABrokenLockOut(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector sees the violation first")
	}
	broken := baseline.Null
	broken.Name = "test/broken"
	s := Suite{
		Algorithms: []shm.Algorithm{broken, get(t, "queue/ticket")},
		Procs:      []int{4},
		Workload:   Workload{CS: 20 * time.Microsecond},
		Count:      132, // one of them is enough, as one in ten finds it: see Try in internal/testkit/deadline
		Options:    Options{Duration: 100 * time.Millisecond},
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := untilBroken{cancel: cancel}
	require.ErrorIs(t, s.Run(ctx, &n), context.Canceled)
	require.Equal(t, []string{"test/broken"}, n.broken)
	require.True(t, strings.HasSuffix(n.begun[len(n.begun)-1], " queue/ticket 4"), "the other is still measured")
}

// A lock that hangs ends the suite, as its processes disturb whatever comes next.
func TestASuiteEndsWithALockThatHangs(t *testing.T) {
	hurried(t, 400*time.Millisecond)
	s := Suite{
		Algorithms: []shm.Algorithm{hangingSpec(t, 1000, spinning), get(t, "queue/ticket")},
		Procs:      []int{2}, Count: 3, Options: brief,
	}
	var n heard
	require.NoError(t, s.Run(t.Context(), &n))
	require.Equal(t, []string{"test/hanging"}, n.broken)
	require.Equal(t, []string{"0 test/hanging 2"}, n.begun)
}

// untilBroken is heard that end the run once the case after the broken one has
// been measured.
type untilBroken struct {
	heard
	cancel func()
}

func (n *untilBroken) Line(l Line) error {
	if len(n.broken) > 0 {
		n.cancel()
	}
	return n.heard.Line(l)
}

// The null lock is measured under the suite's own work, except the arrivals.
func TestTheNullLockHasTheSameWork(t *testing.T) {
	w := Workload{CS: 300 * time.Microsecond, NCS: 300 * time.Microsecond, Lines: 2}
	require.Equal(t, Workload{Procs: 1, CS: 5, NCS: 6, Lines: 7}, Workload{Procs: 9, CS: 5, NCS: 6, Lines: 7, Rate: 8}.alone())
	s := Suite{Algorithms: pair(t)[1:], Procs: []int{1}, Count: 1, Workload: w, Options: brief}
	deadline.Try(t, 0.1, func() bool { // a busy machine may leave a sample without passages
		var n heard
		require.NoError(t, s.Run(t.Context(), &n))
		ns := map[string]float64{}
		for _, l := range n.all {
			for _, v := range l.Values {
				if v.Unit == nsPerOp {
					ns[l.Name] = v.Value
				}
			}
		}
		null, measured := ns[w.alone().Name(baseline.Null.Name)]
		if !measured {
			return false
		}
		require.Greater(t, null, 200e3)
		told := 0
		for _, l := range n.all {
			for _, v := range l.Values {
				if v.Unit == overheadNS {
					require.Equal(t, null, v.Value)
					told++
				}
			}
		}
		return told == 1 // the sample says what the null lock took
	})
}

// TestCasesOfASuite: the cases are those that a lock supports, and the number of samples and
// the time of their windows follow from them.
func TestCasesOfASuite(t *testing.T) {
	s := Suite{Algorithms: pair(t), Procs: []int{2, 3}, Count: 5}
	cases, skipped := s.Cases()
	var names []string
	for _, c := range append(cases, skipped...) {
		names = append(names, fmt.Sprint(c.Algorithm.Name, " ", c.Procs))
	}
	require.Equal(t, []string{"peterson/peterson 2", "queue/ticket 2", "queue/ticket 3", "peterson/peterson 3"}, names)
	require.Len(t, skipped, 1)
	require.Equal(t, map[string]int{
		"Passage/alg=peterson-peterson/procs=2/cs=0/ncs=0": 5, "Passage/alg=queue-ticket/procs=2/cs=0/ncs=0": 5, "Passage/alg=queue-ticket/procs=3/cs=0/ncs=0": 5,
	}, s.Samples())
	require.Equal(t, 15*74_800*time.Microsecond, s.Windows(), "a warm-up of 8.8 ms, a window of 44 ms, and two of 11 ms")
	s.Options.Duration = 100 * time.Millisecond
	require.Equal(t, 15*(100+20+2*25)*time.Millisecond, s.Windows())
	s.Procs = []int{2, 2}
	require.Equal(t, 10, s.Samples()["Passage/alg=queue-ticket/procs=2/cs=0/ncs=0"])
}

// TestSuiteValidate: a suite needs samples, a workload in range and a lock for one of its
// numbers of processes.
func TestSuiteValidate(t *testing.T) {
	good := func() Suite { return Suite{Algorithms: pair(t), Procs: []int{2, 3}, Count: 1} }
	require.NoError(t, good().Validate())
	for want, change := range map[string]func(*Suite){
		"0 samples: there must be 1 or more":                               func(s *Suite) { s.Count = 0 },
		"0 processes: there must be":                                       func(s *Suite) { s.Procs = []int{2, 0} },
		"critical section of -1ns":                                         func(s *Suite) { s.Workload.CS = -1 },
		"nothing to measure: no algorithm":                                 func(s *Suite) { s.Algorithms = nil },
		"nothing to measure: no algorithm, or no number":                   func(s *Suite) { s.Procs = nil },
		"nothing to measure: peterson/peterson: cannot be built for n = 3": func(s *Suite) { s.Algorithms, s.Procs = s.Algorithms[:1], []int{3, 4} },
	} {
		s := good()
		change(&s)
		require.ErrorContains(t, s.Validate(), want)
	}
}
