package check

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/check/internal/symmetry"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// learned returns an algorithm of the catalog, ready to be explored.
func learned(b testing.TB, name string, n, passages int) *explored.Lock {
	b.Helper()
	a, err := catalog.Get(name)
	require.NoError(b, err)
	s := SourceOf(b, name).pkg.Algorithm("All", a)
	lock, err := s.Learn(b.Context(), n, model.Options{Passages: passages})
	require.NoError(b, err)
	return &explored.Lock{Source: s, N: n, Learned: lock, Sys: explore.NewSC(lock.Model)}
}

// BenchmarkSafety visits the states of the bakery for 3 processes with 3
// passages each, 465,441 of them.
func BenchmarkSafety(b *testing.B) {
	c := learned(b, "bakery/lamport", 3, 3)
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "workers=1", 2: "workers=2"}[workers], func(b *testing.B) {
			var g *explore.Graph
			for b.Loop() {
				g = explore.Run(b.Context(), c.Sys, explore.Options{Workers: workers})
			}
			require.Equal(b, 465441, g.States)
			b.ReportMetric(float64(g.States)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
			b.ReportMetric(float64(g.Bytes)/float64(g.States), "B/state")
		})
	}
}

// BenchmarkReduced visits states that take long to expand: those of mcsk42 for 4 processes up to renaming and with
// partial-order reduction, 72,255 of them.
func BenchmarkReduced(b *testing.B) {
	c := learned(b, "queue/mcsk42", 4, 0)
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "workers=1", 2: "workers=2"}[workers], func(b *testing.B) {
			o := explore.Options{Workers: workers, Symmetries: symmetry.Of, Steps: explore.ForFaults}
			sys := explore.Reduce(b.Context(), c.Sys, o, explore.Required{})
			for b.Loop() {
				require.Equal(b, 72255, explore.Run(b.Context(), sys, o).States)
			}
		})
	}
}

// BenchmarkLiveness decides deadlock freedom and the starvation of every
// process of a tournament of 4, with the exploration.
func BenchmarkLiveness(b *testing.B) {
	c := learned(b, "tournament/peterson", 4, 0)
	for b.Loop() {
		g := explore.Run(b.Context(), c.Sys, explore.Options{Workers: 2, Keep: true})
		space := c.SpaceOf(g)
		require.Nil(b, space.Deadlock())
		for pid := range 4 {
			require.Nil(b, space.Stays(pid, interp.Entry))
		}
	}
}

// BenchmarkComponents goes through the components of the bakery of 3 with 3
// passages for deadlock, with the edges and without, for starvation and for the bypass, by one worker.
func BenchmarkComponents(b *testing.B) {
	c := learned(b, "bakery/lamport", 3, 3)
	g := explore.Run(b.Context(), c.Sys, explore.Options{Workers: 2, Keep: true})
	b.Run("deadlock", func(b *testing.B) {
		for b.Loop() {
			c.SpaceOf(g).Deadlock()
		}
	})
	b.Run("deadlock-again", func(b *testing.B) {
		again := explore.Run(b.Context(), c.Sys, explore.Options{Workers: 2, StatesOnly: true})
		for b.Loop() {
			_, decided := c.SpaceOf(again).DeadlockWithoutEdges(b.Context(), 1<<30)
			require.True(b, decided)
		}
	})
	b.Run("starvation", func(b *testing.B) {
		for b.Loop() {
			c.SpaceOf(g).Stays(1, interp.Entry)
		}
	})
	b.Run("bypass", func(b *testing.B) {
		for b.Loop() {
			c.SpaceOf(g).Bypasses(nil, shm.Exclusive)
		}
	})
}

// checkAnew reads the catalog and checks algorithms of it.
func checkAnew(b *testing.B, algorithms []shm.Algorithm, o Options) ([]*Report, error) {
	src, err := Open(b.Context(), "", catalog.Path)
	require.NoError(b, err)
	return src.Algorithms(b.Context(), "All", algorithms, o)
}

// BenchmarkCatalogue is the default check of a sample of the catalog, or with -all of
// the whole catalog. Every verdict is known, unless it is undecided.
func BenchmarkCatalogue(b *testing.B) {
	locks := slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool { return !Affordable(a.Name) || !Affordable(a.VariantOf) })
	locks = sample.Of(b, locks, AlgorithmName, 40)
	for b.Loop() {
		reports, err := checkAnew(b, locks, Options{})
		require.NoError(b, err)
		for _, r := range reports {
			require.True(b, r.Exhausted || r.Refused != "", r.Algorithm)
		}
	}
}

// BenchmarkReplay makes accesses on the compiled code.
func BenchmarkReplay(b *testing.B) {
	a, err := catalog.Get("queue/mcs")
	require.NoError(b, err)
	for b.Loop() {
		_, err := checkAnew(b, []shm.Algorithm{a}, Options{N: []int{3}, Replays: 100_000})
		require.NoError(b, err)
	}
}

// plainLocks are the oldest of the catalog, those for more than two processes.
var plainLocks = map[string]bool{
	"bakery/lamport": true, "burns/burnslynch": true, "peterson/filter": true, "tournament/priority": true, "tournament/peterson": true,
	"tas/tas": true, "tas/ttas": true, "tas/backoff": true, "cas/cas": true, "cas/testfirst": true,
	"queue/ticket": true, "queue/anderson": true, "queue/mcs": true, "queue/clh": true,
}

// BenchmarkLarge is all verdicts, without replays, on what takes long: the bakery of 4
// with 2 passages, 12,093,301 states; the filter of 4, where the remote references take
// most of the time; and for 4 processes the locks with sequential stores, in all layouts.
// It leaves out the locks with release stores, because store buffers make them larger. It
// reports the seconds of each stage. With -count it gives samples, to be compared with
// those of the commit before. Without -all it is the filter alone.
func BenchmarkLarge(b *testing.B) {
	var plain []shm.Algorithm
	for _, a := range catalog.All() {
		if a.Stores == shm.Sequential && (plainLocks[a.Name] || plainLocks[a.VariantOf]) {
			plain = append(plain, a)
		}
	}
	one := func(name string) []shm.Algorithm {
		a, err := catalog.Get(name)
		require.NoError(b, err)
		return []shm.Algorithm{a}
	}
	for _, c := range []struct {
		name       string
		algorithms []shm.Algorithm
		o          Options
		states     int // of the first
	}{
		{"bakery/workers=1", one("bakery/lamport"), Options{Passages: 2, Workers: 1}, 12_093_301},
		{"bakery/workers=2", one("bakery/lamport"), Options{Passages: 2, Workers: 2}, 12_093_301},
		{"filter/workers=2", one("peterson/filter"), Options{Workers: 2}, 110_490},
		{"plain/workers=2", plain, Options{Workers: 2}, 12_093_301},
	} {
		b.Run(c.name, func(b *testing.B) {
			if c.states > 1_000_000 && !sample.All() {
				b.Skip("it takes minutes: -all")
			}
			c.o.N = []int{4}
			var took Seconds
			for b.Loop() {
				reports, err := checkAnew(b, c.algorithms, c.o)
				require.NoError(b, err)
				require.Equal(b, c.states, reports[0].States)
				for _, r := range reports {
					took.Learning += r.Seconds.Learning
					took.Exploring += r.Seconds.Exploring
					took.Analysing += r.Seconds.Analysing
				}
			}
			b.ReportMetric(took.Learning/float64(b.N), "s-learning/op")
			b.ReportMetric(took.Exploring/float64(b.N), "s-exploring/op")
			b.ReportMetric(took.Analysing/float64(b.N), "s-analysing/op")
		})
	}
}
