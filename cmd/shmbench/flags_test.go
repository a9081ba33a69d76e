package main

import "testing"

// 120 flags, -witness of check, -between and -kill-rate of run, -between of stress, -kill of stress, the nine of play, -safety and -checkpoint of check, and the seven of artifact.
func TestFlags(t *testing.T) { inTests.Flags(t, 143) }
