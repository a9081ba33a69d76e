package byhand

import (
	"shmbench/fast"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	fastLamport         = fast.Lamport(shm.Packed, shm.Sequential)
	releasedFastLamport = fast.Lamport(shm.Packed, shm.Released)
)

var fastLamports = []Mutant{
	mutate(fastLamport, "fast-lamport-no-await", "who finds x changed does not wait for b, and so looks at y while another is still before writing it", Safety, 2,
		func(n int) shm.Mutex { return &fastLamportNoAwait{newFastLamport(n)} }),
	mutate(fastLamport, "fast-lamport-no-reread", "who has waited for b enters without looking at y, as the others that have waited do", Safety, 2,
		func(n int) shm.Mutex { return &fastLamportNoReread{newFastLamport(n)} }),
	mutate(fastLamport, "fast-lamport-exit-reversed", "the exit section lowers b before it frees y, which by then is that of who waited for b", Safety, 2,
		func(n int) shm.Mutex { return &fastLamportExitReversed{newFastLamport(n)} }),
	mutate(fastLamport, "fast-lamport-y-kept", "the exit section does not free y, and all that come wait for it", Deadlock, 1,
		func(n int) shm.Mutex { return &fastLamportYKept{newFastLamport(n)} }),
	mutate(fastLamport, "fast-lamport-b-kept", "who finds y taken waits for it with b up, and its owner for b", Deadlock, 2,
		func(n int) shm.Mutex { return &fastLamportBKept{newFastLamport(n)} }),
	release(releasedFastLamport, "fast-lamport-x-released", "x is written by a released store, and y read before it shows",
		func(n int) shm.Mutex { return &fastLamportXReleased{newFastLamport(n)} }),
	release(releasedFastLamport, "fast-lamport-y-released", "y is written by a released store, and x read before it shows",
		func(n int) shm.Mutex { return &fastLamportYReleased{newFastLamport(n)} }),
}

// fastLamportBase is Lamport's fast lock in pieces:
//
//	entry section of process i:
//	1  b[i] := true
//	2  x := i
//	3  if y is not 0 then
//	4      b[i] := false
//	5      wait until y = 0; go to 1
//	6  y := i
//	7  if x is not i then
//	8      b[i] := false
//	9      for each j: wait until not b[j]
//	10     if y is not i then
//	11         wait until y = 0; go to 1
//	exit section of process i:
//	12 y := 0
//	13 b[i] := false
type fastLamportBase struct {
	b    []register.Bool
	x, y register.Uint32
}

func newFastLamport(n int) fastLamportBase { return fastLamportBase{b: make([]register.Bool, n)} }

// claim is lines 1 to 6, and reports what line 7 asks.
func (l *fastLamportBase) claim(i int) (alone bool) {
	for {
		l.b[i].Store(true)       // 1
		l.x.Store(uint32(i + 1)) // 2
		if l.y.Load() == 0 {     // 3
			l.y.Store(uint32(i + 1)) // 6
			return l.mine(i, &l.x)   // 7
		}
		l.b[i].Store(false) // 4
		l.await()           // 5
	}
}

// mine reports whether a word has the id of process i.
func (l *fastLamportBase) mine(i int, word *register.Uint32) bool { // 7, 10
	return word.Load() == uint32(i+1)
}

// await is lines 5 and 11.
func (l *fastLamportBase) await() {
	spin.Until(func() bool { return l.y.Load() == 0 })
}

// awaitAll is line 9.
func (l *fastLamportBase) awaitAll() {
	for j := range l.b {
		spin.Until(func() bool { return !l.b[j].Load() })
	}
}

func (l *fastLamportBase) Lock(i int) {
	for !l.claim(i) { // 1 to 7
		l.b[i].Store(false)  // 8
		l.awaitAll()         // 9
		if l.mine(i, &l.y) { // 10
			return
		}
		l.await() // 11
	}
}

func (l *fastLamportBase) Unlock(i int) {
	l.y.Store(0)        // 12
	l.b[i].Store(false) // 13
}

type fastLamportNoAwait struct{ fastLamportBase }

func (l *fastLamportNoAwait) Lock(i int) {
	for !l.claim(i) { // 1 to 7
		l.b[i].Store(false)  // 8
		if l.mine(i, &l.y) { // 10
			return
		}
		l.await() // 11
	}
}

type fastLamportNoReread struct{ fastLamportBase }

func (l *fastLamportNoReread) Lock(i int) {
	if !l.claim(i) { // 1 to 7
		l.b[i].Store(false) // 8
		l.awaitAll()        // 9
	}
}

type fastLamportExitReversed struct{ fastLamportBase }

func (l *fastLamportExitReversed) Unlock(i int) {
	l.b[i].Store(false) // 13
	l.y.Store(0)        // 12
}

type fastLamportYKept struct{ fastLamportBase }

func (l *fastLamportYKept) Unlock(i int) {
	l.b[i].Store(false) // 13
}

type fastLamportBKept struct{ fastLamportBase }

func (l *fastLamportBKept) Lock(i int) {
	for {
		l.b[i].Store(true)       // 1
		l.x.Store(uint32(i + 1)) // 2
		if l.y.Load() != 0 {     // 3
			l.await() // 5
			continue
		}
		l.y.Store(uint32(i + 1)) // 6
		if l.mine(i, &l.x) {     // 7
			return
		}
		l.b[i].Store(false)  // 8
		l.awaitAll()         // 9
		if l.mine(i, &l.y) { // 10
			return
		}
		l.await() // 11
	}
}

type fastLamportXReleased struct{ fastLamportBase }

func (l *fastLamportXReleased) Lock(i int) {
	for {
		l.b[i].Store(true)              // 1
		l.x.StoreRelease(uint32(i + 1)) // 2
		if l.y.Load() != 0 {            // 3
			l.b[i].Store(false) // 4
			l.await()           // 5
			continue
		}
		l.y.Store(uint32(i + 1)) // 6
		if l.mine(i, &l.x) {     // 7
			return
		}
		l.b[i].Store(false)  // 8
		l.awaitAll()         // 9
		if l.mine(i, &l.y) { // 10
			return
		}
		l.await() // 11
	}
}

type fastLamportYReleased struct{ fastLamportBase }

func (l *fastLamportYReleased) Lock(i int) {
	for {
		l.b[i].Store(true)       // 1
		l.x.Store(uint32(i + 1)) // 2
		if l.y.Load() != 0 {     // 3
			l.b[i].Store(false) // 4
			l.await()           // 5
			continue
		}
		l.y.StoreRelease(uint32(i + 1)) // 6
		if l.mine(i, &l.x) {            // 7
			return
		}
		l.b[i].Store(false)  // 8
		l.awaitAll()         // 9
		if l.mine(i, &l.y) { // 10
			return
		}
		l.await() // 11
	}
}
