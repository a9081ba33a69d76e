package knownbroken

import (
	"shmbench/shm"
	"shmbench/tournament"
)

// petersonFischerTree is Peterson and Fischer's tree with the fences that a program
// in C gives it for processors of the x86 family: one after each store of the entry
// section, and none after that of the exit section. It is tournament.PetersonFischer
// with that store released.
//
// The next passage begins with a look at the rival, before any fence. So a process that
// has left comes back and looks while memory still has it at its level, and the rival
// writes its bit by a claim that has been given up. In the end each has written its bit
// by one that the other was about to overwrite, both times that it looked.
var petersonFischerTree = made(Lock{
	Algorithm: released(like(tournament.PetersonFischer(shm.Packed), "knownbroken/petersonfischer-tree", "Peterson and Fischer's tree without a fence in its exit section")),
	Read:      "PetersonT.c in github.com/pabuhr/concurrent-locking at f32f830c225c, a program after the paper's p. 93",
	Claimed:   "mutual exclusion on processors with store buffers, by the fences that the program has for them",
	Property:  exclusion,
	Verdict:   "a process comes back and looks at its rival before it can be seen that it has left, and both enter.",
	Procs:     2,
	Memory:    Released,
	Steps:     22,
	Fix:       "a fence after the store of the exit section, or before the first look at a rival",
	Fixed:     "tournament/petersonfischer",
}, func(n int) shm.Mutex {
	lock, _ := tournament.NewPetersonFischer(n, shm.Packed, shm.Released) // n is checked
	return lock
})

// released returns the specification of a form with released stores that a lock does not have.
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
