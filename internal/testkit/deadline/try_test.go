package deadline_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/deadline"
)

// failing is a testing.TB that notes that it failed.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Helper() {}

func (f *failing) Fatalf(string, ...any) {
	f.failed = true
	runtime.Goexit()
}

// TestTry: the first success ends the tries. The vain ones are so many that they are a matter of
// chance with a probability of at most one in a million.
func TestTry(t *testing.T) {
	for _, c := range []struct {
		least   float64
		success int // the try that succeeds, 0 for none
		tries   int
		fails   bool
	}{
		{0.5, 1, 1, false}, {0.5, 20, 20, false}, {0.5, 21, 20, true},
		{0.9, 6, 6, false}, {0.9, 0, 6, true}, {0.1, 0, 132, true},
	} {
		f, made := &failing{TB: t}, 0
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			deadline.Try(f, c.least, func() bool { made++; return made == c.success })
		}()
		<-ended
		require.Equal(t, c.fails, f.failed, "%+v", c)
		require.Equal(t, c.tries, made, "%+v", c)
	}
}
