package main

import "testing"

// 120 flags, -witness of check, -between of run and of stress, -kill of stress, the nine of play, and the six of artifact.
func TestFlags(t *testing.T) { inTests.Flags(t, 139) }
