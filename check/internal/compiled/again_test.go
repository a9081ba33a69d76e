package compiled

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/replay"
	"shmbench/check/internal/replay/harness"
)

// TestAgain: a schedule that did not come back is run once more, and no other.
func TestAgain(t *testing.T) {
	late, broken := &replay.Stuck{After: time.Second}, errors.New("broken")
	for _, c := range []struct {
		name string
		errs []error // of the runs, in order
		want error
	}{
		{"at once", []error{nil}, nil},
		{"late once", []error{late, nil}, nil},
		{"late twice", []error{late, late}, late},
		{"ended", []error{&replay.Stuck{Reason: "stack overflow"}}, &replay.Stuck{Reason: "stack overflow"}},
		{"broken", []error{broken}, broken},
		{"late, then broken", []error{late, broken}, broken},
	} {
		runs := 0
		_, err := again(func() (*harness.Result, error) {
			runs++
			return nil, c.errs[runs-1]
		})
		require.Equal(t, c.want, err, c.name)
		require.Equal(t, len(c.errs), runs, c.name)
	}
}
