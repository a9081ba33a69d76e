// Package short is for tests that are left out with "go test -short".
package short

import "testing"

// Skip skips a test that takes about a second of processor time or more, if the tests are
// to be short.
func Skip(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out with -short")
	}
}
