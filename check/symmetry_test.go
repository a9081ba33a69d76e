package check

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/model"
	"shmbench/internal/sample"
	"shmbench/shm"
)

// symmetryStates is how many states a lock has at most of which every process is
// looked at by itself too, for two processes and for three; of few if it is 0.
var symmetryStates = flag.Int("symmetry", 0, "states of the locks of which every process is looked at by itself too, 0 for some small ones")

// heldApart decides what was explored, and once more with each process looked at by
// itself; the verdicts and the traces must be the same. It returns which processes
// are alike.
func heldApart(t *testing.T, x *explored) [][]int {
	t.Helper()
	shared, err := decide(t.Context(), x)
	require.NoError(t, err)
	alone := *x
	alone.alike = nil
	alone.space = x.wholeSpace()
	apart, err := decide(t.Context(), &alone)
	require.NoError(t, err)
	r, want := shared.report(), apart.report()
	sets := r.Symmetric
	require.Empty(t, want.Symmetric)
	r.Symmetric = nil
	require.Equal(t, want, r, "%s, n=%d, %s, %s", x.lock.name, x.n, x.memory.terms().memory, x.memory.terms().registers)
	return sets
}

// TestSymmetricVerdicts: what is decided of one process for all that are like it is
// what is decided of each, in sequentially consistent memory, with store buffers, and
// on registers that are not atomic.
func TestSymmetricVerdicts(t *testing.T) {
	Long(t)
	t.Parallel()
	src, err := CatalogueSource()
	require.NoError(t, err)
	held, alike := 0, map[string]int{}
	states, most, every := *symmetryStates, 3, 1
	if states == 0 {
		states, most, every = 500, 2, 14
	}
	locks := slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool {
		// A variant may have other stores, or be another layout, which is left out.
		return a.Class&shm.Opaque != 0 || a.VariantOf != "" && a.Stores == shm.Sequential || !a.Space.Bounded(2) && every > 1
	})
	for _, a := range sample.Of(t, locks, AlgorithmName, every) {
		s := src.algorithm("All", a)
		for n := max(2, a.MinProcs); n <= min(most, a.MaxProcs); n++ {
			opts := explore.Options{Workers: 1, MaxStates: states, Keep: true}
			lock, err := s.learn(t.Context(), n, model.Options{Explore: opts})
			require.NoError(t, err)
			hold := func(x *explored, err error) {
				require.NoError(t, err)
				if x = x.complete(); !x.exhausted() {
					return
				}
				held++
				if heldApart(t, x) != nil {
					alike[x.memory.terms().memory+string(x.memory.terms().registers)]++
				}
			}
			hold(exploreAs(t.Context(), s, lock, opts))
			if a.Class != shm.ReadWrite || a.Stores != shm.Sequential {
				continue
			}
			for _, registers := range []shm.RegisterModel{shm.Regular, shm.Safe} {
				w := &weakening{of: s, registers: registers, opts: opts, model: lock}
				hold(w.explore(t.Context()))
			}
		}
	}
	t.Logf("%d held, alike: %v", held, alike)
	require.Greater(t, held, 15)
	for _, where := range []string{"sc", "tso", "scregular", "scsafe"} {
		require.Greater(t, alike[where], 0, where)
	}
}

// TestSymmetry tells which processes are alike, and which are not by one value.
func TestSymmetry(t *testing.T) {
	t.Parallel()
	src := Testdata(t, "locks")
	for _, c := range []struct {
		lock    string
		n       int
		want    [][]int
		starved []int
	}{
		{"NewMarked", 3, [][]int{{0, 1, 2}}, []int{0, 1, 2}},
		{"NewOddMark", 2, [][]int{{0, 1}}, []int{0, 1}},
		{"NewOddMark", 3, [][]int{{0, 2}}, []int{0, 1, 2}}, // nobody else shares a mark with somebody
		{"NewUnmarked", 2, nil, nil},
		{"NewUnmarked", 3, [][]int{{0, 2}}, nil},
		{"NewStale", 2, [][]int{{0, 1}}, []int{0, 1}}, // the initial state is mapped to another one
		{"NewStale", 3, [][]int{{0, 1, 2}}, []int{0, 1, 2}},
		{"NewCaring", 2, nil, nil},
	} {
		t.Run(fmt.Sprintf("%s-%d", c.lock, c.n), func(t *testing.T) {
			s := src.lock(c.lock)
			lock, err := s.learn(t.Context(), c.n, model.Options{})
			require.NoError(t, err)
			x := exploreAll(t.Context(), s, lock, explore.Options{Workers: 1}).complete()
			require.Equal(t, c.want, heldApart(t, x))
			d, err := decide(t.Context(), x)
			require.NoError(t, err)
			if c.starved != nil {
				require.Equal(t, c.starved, d.liveness.starved)
			}
		})
	}
}

// TestQuiet: a process that is done may have a store in its buffer still. Memory as it is
// then is not what a lock can begin with.
func TestQuiet(t *testing.T) {
	t.Parallel()
	src, err := CatalogueSource()
	require.NoError(t, err)
	a, err := catalog.Get("tas/tas-released")
	require.NoError(t, err)
	s := src.algorithm("All", a)
	lock, err := s.learn(t.Context(), 2, model.Options{})
	require.NoError(t, err)
	x, err := exploreAs(t.Context(), s, lock, explore.Options{Workers: 1, Keep: true})
	require.NoError(t, err)
	require.Equal(t, "tso", x.memory.terms().memory)
	require.Len(t, x.quiet(), 1, "busy is clear, and no store on its way")
	require.Equal(t, [][]int{{0, 1}}, x.complete().symmetric())
}
