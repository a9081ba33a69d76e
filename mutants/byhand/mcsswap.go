package byhand

import (
	"shmbench/queue"
	"shmbench/shm"
)

var mcsSwap = queue.MCSSwap(shm.Packed, shm.Sequential)

var mcsSwaps = []Mutant{
	mutate(mcsSwap, "mcsswap-not-mended", "who has emptied a list that was not its own alone does not put it back", Safety, 2,
		func(n int) shm.Mutex { return &mcsSwapNotMended{newMCS(n)} }),
	mutate(mcsSwap, "mcsswap-usurper-overlooked", "the successor is released though another came in between and is inside", Safety, 3,
		func(n int) shm.Mutex { return &mcsSwapUsurperOverlooked{newMCS(n)} }).
		outOfReach("another process must come, find no successor linked, and stay between two swaps that are next to each other"),
}

// The exit section of MCS without compare-and-swap; the rest is that of mcsBase:
//
//	7  succ := I.next; if succ = nil then
//	8      old := swap(l, nil); if old = I then return
//	9      usurper := swap(l, old)
//	10     wait until I.next is not nil; succ := I.next
//	11     if usurper is not nil then usurper.next := succ, return
//	12 succ.locked := false

type mcsSwapNotMended struct{ *mcsBase }

func (l *mcsSwapNotMended) Unlock(i int) {
	I := uint32(i + 1)
	if l.of(I).next.Load() == none && l.l.Swap(none) == I { // 7, 8
		return
	}
	l.release(I) // 10, 12
}

type mcsSwapUsurperOverlooked struct{ *mcsBase }

func (l *mcsSwapUsurperOverlooked) Unlock(i int) {
	I := uint32(i + 1)
	if l.of(I).next.Load() == none { // 7
		old := l.l.Swap(none) // 8
		if old == I {
			return
		}
		l.l.Swap(old) // 9
	}
	l.release(I) // 10, 12
}
