package check

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

func named(name, variantOf string) shm.Algorithm {
	return shm.Algorithm{Name: name, VariantOf: variantOf}
}

func names(reports []*Report) (all []string) {
	for _, r := range reports {
		all = append(all, r.Algorithm)
	}
	return all
}

// TestSources: a source and the variants that follow it stay together.
func TestSources(t *testing.T) {
	a, packed, b, lone := named("a", ""), named("a-packed", "a"), named("b", ""), named("c-packed", "c")
	require.Equal(t, [][]shm.Algorithm{{a, packed}, {b}, {lone}}, bySource([]shm.Algorithm{a, packed, b, lone}))
	require.Empty(t, bySource(nil))
}

// TestSideBySide: a lock that takes long keeps no other process waiting, and the reports
// are in the order of the algorithms nevertheless.
func TestSideBySide(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	groups := bySource([]shm.Algorithm{named("a", ""), named("a-packed", "a"), named("b", ""), named("c", "")})
	last := make(chan struct{})
	var each []string
	o := Options{Each: func(r *Report) { each = append(each, r.Algorithm) }}
	reports, err := sideBySide(t.Context(), groups, o, func(_ context.Context, run *runner, a shm.Algorithm) ([]*Report, error) {
		switch a.Name {
		case "a":
			<-last
		case "c":
			defer close(last)
		}
		r := &Report{Algorithm: a.Name}
		run.o.Each(r)
		return []*Report{r}, nil
	})
	require.NoError(t, err)
	require.Equal(t, []string{"a", "a-packed", "b", "c"}, names(reports))
	require.Equal(t, []string{"b", "c", "a", "a-packed"}, each)
}

// TestSideBySideEnds: the first error ends all, and what was found by then stays.
func TestSideBySideEnds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	broken := errors.New("broken")
	reports, err := sideBySide(t.Context(), bySource([]shm.Algorithm{named("a", ""), named("b", ""), named("c", "")}), Options{},
		func(ctx context.Context, _ *runner, a shm.Algorithm) ([]*Report, error) {
			if a.Name == "b" {
				return nil, broken
			}
			<-ctx.Done()
			return []*Report{{Algorithm: a.Name}}, ctx.Err()
		})
	require.ErrorIs(t, err, broken)
	require.Equal(t, []string{"a"}, names(reports), "nobody begins with c")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = sideBySide(ctx, bySource([]shm.Algorithm{named("a", "")}), Options{},
		func(ctx context.Context, _ *runner, _ shm.Algorithm) ([]*Report, error) { return nil, ctx.Err() })
	require.ErrorIs(t, err, context.Canceled)
}

// TestOneLargeSearch: no second search can become large before the first has been
// given up.
func TestOneLargeSearch(t *testing.T) {
	var none *team
	team := new(team)
	large, end := team.search()
	large()
	large()
	_, small := team.search()
	small()
	require.False(t, team.large.TryLock())
	end()
	require.True(t, team.large.TryLock())

	large, end = none.search()
	require.Nil(t, large)
	end()
}
