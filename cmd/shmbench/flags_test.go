package main

import "testing"

// The flag -witness of check is one more than 120.
func TestFlags(t *testing.T) { inTests.Flags(t, 121) }
