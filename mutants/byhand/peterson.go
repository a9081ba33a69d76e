package byhand

import (
	"sync/atomic"

	"shmbench/spin"
)

// petersonBase is Peterson's two-process lock in pieces:
//
//	entry section of process i:
//	1  q[i] := true
//	2  turn := i
//	3  wait until not q[1-i] or turn = 1-i
//	exit section:
//	4  q[i] := false
type petersonBase struct {
	q    [2]atomic.Bool
	turn atomic.Uint32
}

// await is line 3.
func (l *petersonBase) await(i int) {
	other := 1 - i
	spin.Until(func() bool { return !l.q[other].Load() || l.turn.Load() == uint32(other) })
}

func (l *petersonBase) Unlock(i int) {
	l.q[i].Store(false) // 4
}
