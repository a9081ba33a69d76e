// Package regiontest is for tests that need memory that processes share.
package regiontest

import (
	"errors"
	"testing"

	"shmbench/shm/region"
)

// Need skips a test on a platform without regions.
func Need(t testing.TB) {
	t.Helper()
	r, err := region.New("", region.MinSize)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err == nil {
		err = r.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}
