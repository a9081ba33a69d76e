package main

import "testing"

// A new flag must be one that users would miss. It raises this number.
func TestFlags(t *testing.T) { inTests.Flags(t, 145) }
