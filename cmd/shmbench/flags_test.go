package main

import "testing"

// 120 flags, -witness of check, -between of run and of stress, and -kill of stress.
func TestFlags(t *testing.T) { inTests.Flags(t, 124) }
