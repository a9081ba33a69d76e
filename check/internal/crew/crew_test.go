package crew

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPanics: the caller panics with what a worker has panicked with, when all workers
// have ended.
func TestPanics(t *testing.T) {
	t.Setenv("GOTRACEBACK", "")
	for failing := range 3 {
		ended := [3]bool{}
		require.PanicsWithValue(t, "a fault", func() {
			Do(3, func(worker int) {
				if worker == failing {
					panic("a fault")
				}
				ended[worker] = true
			})
		})
		for worker, ended := range ended {
			require.Equal(t, worker != failing, ended)
		}
	}
}
