package elevator

import (
	"shmbench/shm"
	"shmbench/shm/register"
	"shmbench/shm/spin"
)

// turn tells which process has the turn. At first no process has it.
type turn interface {
	// lead waits until process i or no process has the turn, and takes it.
	lead(i int)
	// follow waits until process i has the turn.
	follow(i int)
	// pass gives the turn to process k, or to no process if k is n.
	pass(k int)
}

// firstTurn is one word, for which all processes wait.
type firstTurn struct {
	released bool
	nobody   uint32 // n
	first    *register.Uint32
}

func newFirstTurn(n int, _ shm.Layout, released bool) turn {
	t := &firstTurn{released, uint32(n), newWord[register.Uint32]()}
	t.first.Store(t.nobody)
	return t
}

func (t *firstTurn) lead(i int) {
	spin.Until(func() bool {
		first := t.first.Load() // 3
		return first == uint32(i) || first == t.nobody
	})
	t.first.StoreReleaseIf(t.released, uint32(i)) // 4
}

func (t *firstTurn) follow(i int) {
	spin.Until(func() bool { return t.first.Load() == uint32(i) }) // 6
}

func (t *firstTurn) pass(k int) {
	t.first.StoreReleaseIf(t.released, uint32(k)) // 9, 12
}

// flagTurn is a flag for each process, for which only that process waits, and flag[n], which
// is true while no process has the turn.
type flagTurn struct {
	released bool
	n        int
	flag     shm.Array[register.Bool]
}

func newFlagTurn(n int, layout shm.Layout, released bool) turn {
	t := &flagTurn{released, n, shm.NewArray[register.Bool](n+1, layout)}
	t.flag.At(n).Store(true)
	return t
}

func (t *flagTurn) lead(i int) {
	mine, nobodys := t.flag.At(i), t.flag.At(t.n)
	spin.Until(func() bool { return mine.Load() || nobodys.Load() }) // 3
	nobodys.StoreReleaseIf(t.released, false)                        // 4
	mine.StoreReleaseIf(t.released, false)                           // 4
}

func (t *flagTurn) follow(i int) {
	mine := t.flag.At(i)
	spin.Until(func() bool { return mine.Load() }) // 6
	mine.StoreReleaseIf(t.released, false)         // 6
}

func (t *flagTurn) pass(k int) {
	t.flag.At(k).StoreReleaseIf(t.released, true) // 9, 12
}
