package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

// TestWorst: the most that processes cost is known if each is, or if one has no bound;
// that there is a bound is known if each has one, how large it may be.
func TestWorst(t *testing.T) {
	costs := func(c ...int) (w worst) {
		for _, cost := range c {
			w.add(cost, true)
		}
		return w
	}
	below := func(w worst, bounds ...int) worst {
		for _, b := range bounds {
			w.below(b)
		}
		return w
	}
	for _, c := range []struct {
		name  string
		w     worst
		most  *int
		loose bool
	}{
		{"all known", costs(3, 5, 4), new(5), false},
		{"one without a bound", costs(3, shm.Unbounded, 4), new(shm.Unbounded), true},
		{"one below a bound", below(costs(3), 9), nil, false},
		{"one of which nothing is known", below(costs(3), 9, shm.Unbounded), nil, true},
		{"one unknown, one without a bound", below(costs(shm.Unbounded), 9), new(shm.Unbounded), true},
	} {
		require.Equal(t, c.most, c.w.most(), c.name)
		require.Equal(t, c.loose, c.w.loose, c.name)
		var joined worst
		joined.join(c.w)
		require.Equal(t, c.w, joined, c.name)
	}
}
