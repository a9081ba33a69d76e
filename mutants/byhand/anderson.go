package byhand

import (
	"math/bits"
	"sync/atomic"

	"shmbench/queue"
	"shmbench/shm"
	"shmbench/spin"
)

var anderson = queue.Anderson(shm.Packed, shm.Sequential)

var andersons = []Mutant{
	mutate(anderson, "anderson-slot-not-cleared", "whoever enters leaves the slot set", Safety, 2,
		func(n int) shm.Mutex { return &andersonSlotNotCleared{newAnderson(n, slots(n))} }),
	mutate(anderson, "anderson-few-slots", "there are half as many slots as processes", Safety, 2,
		func(n int) shm.Mutex { return &andersonFewSlots{newAnderson(n, max(1, slots(n)/2))} }).with(shm.Space{
		{Name: "hasLock", Count: shm.Formula{Text: "2^ceil(log2 n)/2", At: func(n int) int { return max(1, slots(n)/2) }}, Values: shm.Const(2)},
		anderson.Space[1],
	}),
	mutate(anderson, "anderson-split-fetch", "the place is read and incremented in two steps", Safety, 2,
		func(n int) shm.Mutex { return &andersonSplitFetch{newAnderson(n, slots(n))} }).using(shm.ReadWrite),
	mutate(anderson, "anderson-own-slot", "the exit section sets the own slot, not the next", Deadlock, 2,
		func(n int) shm.Mutex { return &andersonOwnSlot{newAnderson(n, slots(n))} }),
}

// andersonBase is Anderson's array lock in pieces:
//
//	entry section of process i:
//	1  myPlace := fetch-and-increment(queueLast)
//	2  wait until hasLock[myPlace mod slots]
//	3  hasLock[myPlace mod slots] := false
//	exit section of process i:
//	4  hasLock[(myPlace + 1) mod slots] := true
type andersonBase struct {
	myPlace   []uint32 // myPlace[i] is private to process i
	hasLock   []atomic.Bool
	queueLast atomic.Uint32
}

func newAnderson(n, slots int) *andersonBase {
	l := &andersonBase{myPlace: make([]uint32, n), hasLock: make([]atomic.Bool, slots)}
	l.hasLock[0].Store(true)
	return l
}

// slots is the least power of two that is at least n.
func slots(n int) int { return 1 << bits.Len(uint(n-1)) }

// slot returns the slot at a place.
func (l *andersonBase) slot(place uint32) *atomic.Bool {
	return &l.hasLock[place%uint32(len(l.hasLock))]
}

// await is line 2.
func (l *andersonBase) await(place uint32) {
	hasLock := l.slot(place)
	spin.Until(func() bool { return hasLock.Load() })
}

func (l *andersonBase) Lock(i int) {
	myPlace := l.queueLast.Add(1) - 1 // 1
	l.await(myPlace)
	l.slot(myPlace).Store(false) // 3
	l.myPlace[i] = myPlace
}

func (l *andersonBase) Unlock(i int) {
	l.slot(l.myPlace[i] + 1).Store(true) // 4
}

type andersonSlotNotCleared struct{ *andersonBase }

func (l *andersonSlotNotCleared) Lock(i int) {
	myPlace := l.queueLast.Add(1) - 1
	l.await(myPlace)
	l.myPlace[i] = myPlace
}

type andersonFewSlots struct{ *andersonBase }

type andersonSplitFetch struct{ *andersonBase }

func (l *andersonSplitFetch) Lock(i int) {
	myPlace := l.queueLast.Load()
	l.queueLast.Store(myPlace + 1)
	l.await(myPlace)
	l.slot(myPlace).Store(false)
	l.myPlace[i] = myPlace
}

type andersonOwnSlot struct{ *andersonBase }

func (l *andersonOwnSlot) Unlock(i int) { l.slot(l.myPlace[i]).Store(true) }
