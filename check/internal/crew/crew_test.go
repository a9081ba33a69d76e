package crew

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPanics: who waits for goroutines panics with what one of them has panicked
// with.
func TestPanics(t *testing.T) {
	t.Setenv("GOTRACEBACK", "")
	for failing := range 3 {
		var g Group
		for i := range 3 {
			g.Go(func() {
				if i == failing {
					panic("a fault")
				}
			})
		}
		require.PanicsWithValue(t, "a fault", g.Wait)

		c := New(3)
		c.Do(func(int) {})
		require.PanicsWithValue(t, "a fault", func() {
			c.Do(func(worker int) {
				if worker == failing {
					panic("a fault")
				}
			})
		})
		c.Dismiss()
	}
}
