package szymanski

import "shmbench/shm"

// Buhr returns the specification of FlagMutex as Peter A. Buhr has it in C: a process that
// has waited on line 6 continues with the flags that follow. It repeats lines 5 and 6 for
// each flag that is 1. This is correct: while the process is at 2, a process that it saw at
// 4 stays there, so it waits only once.
func Buhr(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return flagSpec(shm.Algorithm{
		Name:  "szymanski/buhr",
		Title: "Szymański's lock of a five-valued flag a process, in Buhr's form",
		Source: shm.Source{
			Author: "Peter A. Buhr, after Bolesław K. Szymański",
			Title:  "Szymanski.c",
			Venue:  "github.com/pabuhr/concurrent-locking, f32f830",
			Year:   2024,
		},
	}, true, layout, stores)
}
