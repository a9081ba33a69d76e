package knownbroken

import (
	"shmbench/shm"
	"shmbench/tournament"
)

// petersonFischerTree is Peterson and Fischer's tree with the fences of a C program for x86
// processors: one after each store of the entry section, and none after the store of the exit
// section. It is tournament.PetersonFischer with that store as a release store.
//
// The next passage reads the rival's register before any fence. So a process that has left
// returns and reads while memory still has it at its old level, and the rival computes its bit
// from that outdated claim. In the end each process has computed its bit from a value that the
// other was about to overwrite, in both of its reads.
var petersonFischerTree = made(Lock{
	Algorithm: released(like(tournament.PetersonFischer(shm.Packed), "knownbroken/petersonfischer-tree", "Peterson and Fischer's tree without a fence in its exit section")),
	Read:      "PetersonT.c in github.com/pabuhr/concurrent-locking at f32f830c225c, a program after the paper's p. 93",
	Claimed:   "mutual exclusion on processors with store buffers, by the fences that the program has for them",
	Property:  exclusion,
	Verdict:   "a process reacquires the lock and reads its rival's register while its exit store is still in the buffer, and both enter.",
	Procs:     2,
	Memory:    Released,
	Steps:     22,
	Fix:       "a fence after the store of the exit section, or before the first look at a rival",
	Fixed:     "tournament/petersonfischer",
}, func(n int) shm.Mutex {
	lock, _ := tournament.NewPetersonFischer(n, shm.Packed, shm.Released) // n is checked
	return lock
})

// released returns the specification of a variant with release stores that the lock does not
// have.
func released(a shm.Algorithm) shm.Algorithm {
	a.Stores = shm.Released
	a.Source = shm.Source{
		Author: "Peter A. Buhr, David Dice and Wim H. Hesselink",
		Title:  "PetersonT.c",
		Venue:  "github.com/pabuhr/concurrent-locking",
		Year:   2026,
	}
	return a
}
