package main

import "testing"

// 120 flags, -witness of check, -between and -kill-rate of run, -between of stress, -kill of stress, the nine of play, -safety and -checkpoint of check, the seven of
// artifact, -cs-body of run, and -layout-for of list.
func TestFlags(t *testing.T) { inTests.Flags(t, 145) }
