package verdicts

import "sync/atomic"

// A waiting process may give up at any time.
type AbortTAS struct{ bit }

func NewAbortTAS(int) *AbortTAS { return new(AbortTAS) } // want: !sf; all: !sf
func (l *AbortTAS) LockUntil(_ int, giveUp func() bool) bool {
	for l.busy.Swap(true) {
		if giveUp() {
			return false
		}
	}
	return true
}

// A process that gives up waits until the lock is free.
type AbortSpins struct {
	bit
	junk atomic.Pointer[node]
}

func NewAbortSpins(int) *AbortSpins { return new(AbortSpins) } // want: !sf; all: !sf !wait-free-abort
func (l *AbortSpins) LockUntil(_ int, giveUp func() bool) bool {
	for l.busy.Swap(true) {
		if giveUp() {
			for l.busy.Load() {
			}
			return false
		}
	}
	return true
}

// The same, behind a node that it publishes.
type AbortPublishes struct{ AbortSpins }

func NewAbortPublishes(int) *AbortPublishes { return new(AbortPublishes) } // want: !sf; all: !sf !wait-free-abort
func (l *AbortPublishes) LockUntil(_ int, giveUp func() bool) bool {
	for l.busy.Swap(true) {
		if giveUp() {
			l.junk.Store(new(node))
			for l.busy.Load() {
			}
			return false
		}
	}
	return true
}

// The node alone does no harm.
type AbortLeavesNode struct{ AbortSpins }

func NewAbortLeavesNode(int) *AbortLeavesNode { return new(AbortLeavesNode) } // want: !sf; all: !sf
func (l *AbortLeavesNode) LockUntil(_ int, giveUp func() bool) bool {
	for l.busy.Swap(true) {
		if giveUp() {
			l.junk.Store(new(node))
			return false
		}
	}
	return true
}

// The giveUp function of a process that has given up is called again.
type AbortAgain struct{ bit }

func NewAbortAgain(int) *AbortAgain { return new(AbortAgain) } // want: !sf; all: \?dl \?sf \?wait-free-abort \?exit !panic
func (l *AbortAgain) LockUntil(_ int, giveUp func() bool) bool {
	for l.busy.Swap(true) {
		if giveUp() && giveUp() {
			return false
		}
	}
	return true
}

// A process that gives up leaves its flag up, and Lock waits for it.
type AbortFlag struct {
	bit
	want [2]atomic.Bool
}

func NewAbortFlag(int) *AbortFlag { return new(AbortFlag) } // want: !sf; all: !dl !sf
func (l *AbortFlag) Lock(i int) {
	for l.want[1-i].Load() {
	}
	l.bit.Lock(i)
}
func (l *AbortFlag) LockUntil(i int, giveUp func() bool) bool {
	l.want[i].Store(true)
	for l.busy.Swap(true) {
		if giveUp() {
			return false
		}
	}
	l.want[i].Store(false)
	return true
}

// A queue with nodes of Lock's own; a process that gives up points back to its
// predecessor. This one may have given up too: the way back is unbounded.
type abortNode struct {
	done atomic.Bool
	back atomic.Pointer[abortNode]
}
type AbortCLH struct {
	tail atomic.Pointer[abortNode]
	mine []*abortNode
}

func NewAbortCLH(n int) *AbortCLH { // want: ok; all: bounded:
	l := &AbortCLH{mine: make([]*abortNode, n)}
	x := new(abortNode)
	x.done.Store(true)
	l.tail.Store(x)
	return l
}
func (l *AbortCLH) Lock(i int) { l.LockUntil(i, func() bool { return false }) }
func (l *AbortCLH) LockUntil(i int, giveUp func() bool) bool {
	x := new(abortNode)
	l.mine[i] = x
	for p := l.tail.Swap(x); !p.done.Load(); {
		if q := p.back.Load(); q != nil {
			p = q
		} else if giveUp() {
			x.back.Store(p)
			return false
		}
	}
	return true
}
func (l *AbortCLH) Unlock(i int) { l.mine[i].done.Store(true) }

// The same, where a process that gives up says that it is done.
type AbortDone struct{ *AbortCLH }

func NewAbortDone(n int) AbortDone { return AbortDone{NewAbortCLH(n)} } // want: ok; all: !me
func (l AbortDone) LockUntil(i int, giveUp func() bool) bool {
	x := new(abortNode)
	l.mine[i] = x
	for p := l.tail.Swap(x); !p.done.Load(); {
		if giveUp() {
			x.done.Store(true)
			return false
		}
	}
	return true
}
