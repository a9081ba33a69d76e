package main

import "testing"

// 120 flags, -witness of check, -between of run and of stress, -kill of stress, and the nine of play.
func TestFlags(t *testing.T) { inTests.Flags(t, 133) }
