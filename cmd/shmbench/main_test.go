package main

import (
	"context"
	"os"
	"testing"
)

// TestMain lets the test program be its own child, as the program is.
func TestMain(m *testing.M) {
	child(context.Background())
	os.Exit(m.Run())
}
