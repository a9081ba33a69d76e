package catalog_test

import (
	"errors"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/shm"
)

func TestSpecificationsAreComplete(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+/[a-z][a-z0-9]*(-packed|-padded)?(-released)?$`)
	seen := map[string]bool{}
	for _, a := range catalog.All() {
		t.Run(a.Name, func(t *testing.T) {
			require.Regexp(t, name, a.Name)
			require.False(t, seen[a.Name], "listed twice")
			seen[a.Name] = true
			require.NotEmpty(t, a.Title)
			require.NotEmpty(t, a.Source.Author)
			require.NotEmpty(t, a.Source.Title)
			require.NotEmpty(t, a.Source.Venue)
			require.NotZero(t, a.Source.Year)
			require.Equal(t, 1, a.MinProcs)
			require.True(t, a.Claims.DeadlockFree)
			if a.Claims.FCFS {
				require.NotEmpty(t, a.Claims.Doorway, "first-come-first-served is said of a doorway")
			}
			if a.Class&shm.Opaque == 0 {
				require.NotEmpty(t, a.Space)
			}
			if a.VariantOf != "" {
				_, err := catalog.Get(a.VariantOf)
				require.NoError(t, err)
			}
		})
	}
	require.NotContains(t, seen, "baseline/null", "the null lock is no lock")
}

// Each stronger liveness claim implies the weaker ones.
func TestClaimsAreConsistent(t *testing.T) {
	for _, a := range catalog.All() {
		bounded := true
		for _, n := range []int{1, 2, 3, 8} {
			if n > a.MaxProcs {
				continue
			}
			bound := a.Claims.Bypass.Of(n)
			bounded = bounded && bound != shm.Unbounded
			if a.Claims.FCFS {
				require.NotEqual(t, shm.Unbounded, bound, "%s, n = %d: first-come-first-served bounds the bypass", a.Name, n)
			}
		}
		if bounded {
			require.True(t, a.Claims.StarvationFree, "%s: a bound for every n excludes lockout", a.Name)
		}
	}
}

func TestNewRefusesWrongProcessCounts(t *testing.T) {
	for _, a := range catalog.All() {
		for _, n := range []int{-1, 0, a.MaxProcs + 1} {
			m, err := a.New(n)
			require.Nil(t, m, "%s, n = %d", a.Name, n)
			var refused *shm.ProcsError
			require.True(t, errors.As(err, &refused), "%s, n = %d: %v", a.Name, n, err)
			require.Equal(t, n, refused.N)
			require.Equal(t, a.MinProcs, refused.Min)
			require.Equal(t, a.MaxProcs, refused.Max)
		}
	}
	_, err := get(t, "peterson/peterson").New(3)
	require.EqualError(t, err, "peterson/peterson: cannot be built for n = 3, only for 1 to 2")
}

// The registers that the bakery's and the tournament's specifications count are the
// ones in the lecture notes' table of read/write results.
func TestSpaceOfTheReadWriteLocks(t *testing.T) {
	require.Equal(t, 2*8, get(t, "bakery/lamport").Space.Count(8))
	require.False(t, get(t, "bakery/lamport").Space.Bounded(8))
	require.Equal(t, 3*(8-1), get(t, "tournament/priority").Space.Count(8))
	require.True(t, get(t, "tournament/priority").Space.Bounded(8))
	require.Equal(t, 2*8-1, get(t, "peterson/filter").Space.Count(8))
}

func get(t *testing.T, name string) shm.Algorithm {
	a, err := catalog.Get(name)
	require.NoError(t, err)
	return a
}
