package lockhammer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever is read as points can be fitted to; anything else is refused in one line.
func FuzzReadPoints(f *testing.F) {
	f.Add("host lock cs_ns ncs_ns threads ns\nx ticket_spinlock 0 0 4 100\n")
	f.Add("host lock cs_ns ncs_ns threads ns\nx ticket_spinlock 0 0 4\n")
	f.Add("lock ns\na 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		points, err := ReadPoints(strings.NewReader(text))
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.NotEmpty(t, points)
		for _, p := range points {
			require.GreaterOrEqual(t, p.Threads, 1)
			require.Greater(t, p.NS, 0.0)
			require.GreaterOrEqual(t, p.CS, 0.0)
		}
	})
}
