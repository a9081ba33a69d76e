package bench

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"shmbench/shm"
)

// serving takes samples of locks whose time of service is known; 0: the lock fails.
type serving struct {
	service  map[string]time.Duration
	tireless bool // every rate is reached
	offered  []string
}

func (s *serving) take(_ context.Context, suite Suite, l Listener) error {
	cases, _ := suite.Cases()
	for _, c := range cases {
		ns := float64(s.service[c.Algorithm.Name])
		if ns == 0 {
			continue
		}
		w := suite.workload(c.Procs)
		s.offered = append(s.offered, fmt.Sprintf("%s %g", c.Algorithm.Name, w.Rate))
		line := Line{Name: w.Name(c.Algorithm.Name), Iterations: 1, Values: []Value{{ns, nsPerOp}}}
		if w.Rate > 0 && !s.tireless {
			line.Values = append(line.Values, Value{min(1, 1e9/(ns*w.Rate*float64(c.Procs))), reached})
		}
		if err := l.Line(line); err != nil {
			return err
		}
	}
	return nil
}

// Of locks whose time of service is known every rate is offered from a hundredth of
// what they can do to the second that they cannot, and no other.
func TestRatesEndAtSaturation(t *testing.T) {
	s := serving{service: map[string]time.Duration{"a/slow": 100 * time.Microsecond, "a/quick": time.Microsecond, "a/pair": 10 * time.Microsecond, "a/broken": 0}}
	lock := func(name string, most int) shm.Algorithm {
		return shm.Algorithm{Name: name, MinProcs: 1, MaxProcs: most}
	}
	sweep := func(d time.Duration, procs int, algorithms ...shm.Algorithm) {
		s.offered = nil
		suite := Suite{Algorithms: algorithms, Procs: []int{procs}, Count: 1, Options: Options{Duration: d}}
		require.NoError(t, suite.Sweep(t.Context(), Rates, s.take, new(heard)))
	}
	// A hundredth of 10,000 a second would have ten arrivals in a window.
	sweep(100*time.Millisecond, 1, lock("a/slow", 8), lock("a/broken", 8))
	require.Equal(t, []string{"a/slow 0", "a/slow 300", "a/slow 500", "a/slow 700", "a/slow 1000", "a/slow 2000", "a/slow 3000", "a/slow 5000", "a/slow 7000", "a/slow 10000", "a/slow 20000", "a/slow 30000"}, s.offered)
	// The slow one is done long before the quick one begins; a pair is no lock for four.
	sweep(100*time.Millisecond, 4, lock("a/quick", 8), lock("a/slow", 8), lock("a/pair", 2))
	require.NotContains(t, fmt.Sprint(s.offered), "pair")
	require.Equal(t, "a/slow 300", s.offered[2])
	require.Contains(t, s.offered, "a/slow 3000", "four processes have a quarter each")
	require.Contains(t, s.offered, "a/slow 5000")
	require.NotContains(t, s.offered, "a/slow 7000")
	require.Contains(t, s.offered, "a/quick 3000")
	require.Equal(t, "a/quick 500000", s.offered[len(s.offered)-1])
	// One that nothing saturates is left in the end.
	s.tireless = true
	sweep(time.Hour, 1, lock("a/quick", 8))
	require.Len(t, s.offered, Rates.Steps())
}

// TestSweptLengths: each suite has one length of the swept section.
func TestSweptLengths(t *testing.T) {
	for over, of := range map[Sweep]func(Workload) time.Duration{SweepCS: func(w Workload) time.Duration { return w.CS }, SweepNCS: func(w Workload) time.Duration { return w.NCS }} {
		var lengths []time.Duration
		take := func(_ context.Context, s Suite, _ Listener) error {
			lengths = append(lengths, of(s.Workload))
			require.Equal(t, lengths[len(lengths)-1]+time.Second, s.Workload.CS+s.Workload.NCS, "the other section has the length that was given")
			return nil
		}
		require.NoError(t, Suite{Workload: Workload{CS: time.Second, NCS: time.Second}}.Sweep(t.Context(), over, take, new(heard)))
		require.Equal(t, sweptLengths, lengths)
		require.Len(t, lengths, over.Steps())
	}
}

// TestStepsOfASweep: a suite that does not sweep is taken once, as it is.
func TestStepsOfASweep(t *testing.T) {
	require.Equal(t, 1, NoSweep.Steps())
	require.Equal(t, 15, Rates.Steps())
	require.Equal(t, 9, SweepCS.Steps())
	require.Equal(t, 9, SweepNCS.Steps())
	var taken []Suite
	take := func(_ context.Context, s Suite, _ Listener) error {
		taken = append(taken, s)
		return errors.New("enough")
	}
	s := Suite{Algorithms: pair(t), Procs: []int{2}, Workload: Workload{CS: 7, NCS: 8}, Count: 3}
	for _, over := range []Sweep{NoSweep, SweepCS, SweepNCS, Rates} {
		taken = nil
		require.EqualError(t, s.Sweep(t.Context(), over, take, new(heard)), "enough")
		require.Len(t, taken, 1, "an error ends the sweep")
	}
	taken = nil
	require.Error(t, s.Sweep(t.Context(), NoSweep, take, new(heard)))
	require.Equal(t, s.Workload, taken[0].Workload)
}

func TestNextRate(t *testing.T) {
	for _, c := range []struct {
		r       float64
		orEqual bool
		want    float64
	}{
		{1, false, 2}, {1, true, 1}, {1.5, false, 2}, {2, false, 3}, {3, false, 5}, {5, false, 7}, {7, false, 10}, {7, true, 7},
		{7.1, true, 10}, {9.99, false, 10}, {10, false, 20}, {999, true, 1000}, {0.3, false, 0.5}, {0.3, true, 0.3}, {0.71, false, 1}, {0.05, true, 0.05},
	} {
		require.Equal(t, c.want, nextRate(c.r, c.orEqual), "%+v", c)
	}
}

// TestLowest: the locks with the lowest rate are next.
func TestLowest(t *testing.T) {
	var locks []*loaded
	for i, next := range []float64{30, 20, 50, 20, 40} {
		locks = append(locks, &loaded{Algorithm: shm.Algorithm{Name: fmt.Sprint(i)}, next: next})
	}
	rate, at := lowest(locks)
	require.Equal(t, 20.0, rate)
	require.Len(t, at, 2)
	require.Equal(t, "1", at[0].Name)
	require.Equal(t, "3", at[1].Name)
}

// TestAnotherRate: a lock has another rate until it has been behind twice in a row, in more than half
// of its samples, or has had the highest rate.
func TestAnotherRate(t *testing.T) {
	for _, c := range []struct {
		next            float64
		before          bool
		behind, reached int
		goOn, now       bool
	}{
		{10, false, 0, 3, true, false}, {10, true, 0, 3, true, false},
		{10, false, 2, 1, true, true}, {10, true, 2, 1, false, true},
		{10, true, 1, 2, true, false}, {10, true, 1, 1, true, false}, {10, false, 0, 0, true, false},
		{100, false, 0, 3, false, false}, {70, false, 0, 3, true, false},
	} {
		var taken []*benchfmt.Result
		for range c.behind {
			taken = append(taken, Line{Values: []Value{{0.5, reached}}}.Result())
		}
		for range c.reached {
			taken = append(taken, Line{Values: []Value{{1, reached}}}.Result())
		}
		l := &loaded{next: c.next, most: 100, behind: c.before}
		require.Equal(t, c.goOn, l.goOn(taken), "%+v", c)
		require.Equal(t, c.now, l.behind, "%+v", c)
		want := c.next
		if c.goOn {
			want = nextRate(want, false)
		}
		require.Equal(t, want, l.next, "%+v", c)
	}
}
