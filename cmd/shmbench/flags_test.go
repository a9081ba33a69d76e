package main

import "testing"

<<<<<<< HEAD
// 120 flags, -witness of check, -between of run and of stress, and -kill of stress.
func TestFlags(t *testing.T) { inTests.Flags(t, 124) }
=======
// The last nine are those of play.
func TestFlags(t *testing.T) { inTests.Flags(t, 120+9) }
>>>>>>> 9f69a87f (play: a page on which a reader steps a lock by hand, and twelve exercises)
