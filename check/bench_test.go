package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/shm"
)

// learned returns an algorithm of the catalogue, ready to be explored.
func learned(b testing.TB, name string, n, passages int) *explored {
	b.Helper()
	src, err := Open(b.Context(), "", "shmbench/catalog")
	require.NoError(b, err)
	a, err := catalog.Get(name)
	require.NoError(b, err)
	s := src.algorithm("All", a)
	lock, err := model.Learn(b.Context(), s.build, n, model.Options{Passages: passages, Marks: s.marks})
	require.NoError(b, err)
	return &explored{subject: s, n: n, lock: lock, sys: explore.NewSC(lock.Model)}
}

// BenchmarkSafety visits the states of the bakery for 3 processes with 3
// passages each, 465,441 of them.
func BenchmarkSafety(b *testing.B) {
	c := learned(b, "bakery/lamport", 3, 3)
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "workers=1", 2: "workers=2"}[workers], func(b *testing.B) {
			var g *explore.Graph
			for b.Loop() {
				g = explore.Run(b.Context(), c.sys, explore.Options{Workers: workers})
			}
			require.Equal(b, 465441, g.States)
			b.ReportMetric(float64(g.States)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
			b.ReportMetric(float64(g.Bytes)/float64(g.States), "B/state")
		})
	}
}

// BenchmarkLiveness decides deadlock freedom and the starvation of every
// process of a tournament of 4, with the exploration.
func BenchmarkLiveness(b *testing.B) {
	c := learned(b, "tournament/peterson", 4, 0)
	for b.Loop() {
		g := explore.Run(b.Context(), c.sys, explore.Options{Workers: 2, Keep: true})
		space := analyse.New(g, 4, 2, c.section)
		require.Nil(b, space.Deadlock())
		for pid := range 4 {
			require.Nil(b, space.Stays(pid, interp.Entry, nil))
		}
	}
}

// BenchmarkComponents goes through the components of the bakery of 3 with 3
// passages once for deadlock, once for each process.
func BenchmarkComponents(b *testing.B) {
	c := learned(b, "bakery/lamport", 3, 3)
	g := explore.Run(b.Context(), c.sys, explore.Options{Workers: 2, Keep: true})
	b.Run("deadlock", func(b *testing.B) {
		for b.Loop() {
			analyse.New(g, 3, 1, c.section).Deadlock()
		}
	})
	b.Run("starvation", func(b *testing.B) {
		for b.Loop() {
			analyse.New(g, 3, 1, c.section).Stays(1, interp.Entry, nil)
		}
	})
	b.Run("bypass", func(b *testing.B) {
		for b.Loop() {
			analyse.New(g, 3, 1, c.section).Bypass(1, func(uint32) bool { return false })
		}
	})
}

// BenchmarkCatalogue is the default check of the whole catalogue.
func BenchmarkCatalogue(b *testing.B) {
	for b.Loop() {
		reports, err := Catalogue(b.Context(), catalog.All(), Options{})
		require.NoError(b, err)
		require.Len(b, reports, 54)
	}
}

// BenchmarkRemote checks the filter of 4, with remote references.
func BenchmarkRemote(b *testing.B) {
	a, err := catalog.Get("peterson/filter")
	require.NoError(b, err)
	for b.Loop() {
		_, err := Catalogue(b.Context(), []shm.Algorithm{a}, Options{N: []int{4}})
		require.NoError(b, err)
	}
}

// BenchmarkReplay makes accesses on the compiled code.
func BenchmarkReplay(b *testing.B) {
	a, err := catalog.Get("queue/mcs")
	require.NoError(b, err)
	for b.Loop() {
		_, err := Catalogue(b.Context(), []shm.Algorithm{a}, Options{N: []int{3}, Replays: 100_000})
		require.NoError(b, err)
	}
}

// BenchmarkLarge is all verdicts on the bakery of 4 with 2 passages, 12,093,301
// states, by one worker and by two.
func BenchmarkLarge(b *testing.B) {
	a, err := catalog.Get("bakery/lamport")
	require.NoError(b, err)
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "workers=1", 2: "workers=2"}[workers], func(b *testing.B) {
			var took Seconds
			for b.Loop() {
				reports, err := Catalogue(b.Context(), []shm.Algorithm{a}, Options{N: []int{4}, Passages: 2, Workers: workers})
				require.NoError(b, err)
				require.Equal(b, 12093301, reports[0].States)
				took = reports[0].Seconds
			}
			b.ReportMetric(took.Exploring, "s-exploring")
			b.ReportMetric(took.Analysing, "s-analysing")
		})
	}
}
