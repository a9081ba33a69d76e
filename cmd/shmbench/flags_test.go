package main

import "testing"

// 120 flags, -witness of check, and -between of run and of stress.
func TestFlags(t *testing.T) { inTests.Flags(t, 123) }
