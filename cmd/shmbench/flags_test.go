package main

import "testing"

// The program has as many flags as it may have: a new flag takes the place of another one.
func TestFlags(t *testing.T) { inTests.Flags(t, 120) }
