package verdicts

import "sync/atomic"

// bit is a test-and-set lock, by which no process has to be served.
type bit struct{ busy atomic.Bool }

func (l *bit) Lock(int) {
	for l.busy.Swap(true) {
	}
}
func (l *bit) Unlock(int) { l.busy.Store(false) }

// A failing try leaves a node behind that no process reads.
type TryPublishes struct {
	bit
	junk atomic.Pointer[node]
}

func NewTryPublishes(int) *TryPublishes { return new(TryPublishes) } // want: !sf; all: !sf
func (l *TryPublishes) TryLock(int) bool {
	if l.busy.Swap(true) {
		l.junk.Store(new(node))
		return false
	}
	return true
}

// A try takes the lock, publishes a node and says that it has failed.
type TryLoses struct{ TryPublishes }

func NewTryLoses(int) *TryLoses { return new(TryLoses) } // want: !sf; all: !dl !sf !no-effect !strong
func (l *TryLoses) TryLock(int) bool {
	if !l.busy.Swap(true) {
		l.junk.Store(new(node))
	}
	return false
}

// A try publishes a node and enters without the lock.
type TryEnters struct{ TryPublishes }

func NewTryEnters(int) *TryEnters { return new(TryEnters) } // want: !sf; all: !me !sf
func (l *TryEnters) TryLock(int) bool {
	l.junk.Store(new(node))
	return true
}

// A try waits until the lock looks free.
type TryWaits struct{ bit }

func NewTryWaits(int) *TryWaits { return new(TryWaits) } // want: !sf; all: !sf !wait-free-try
func (l *TryWaits) TryLock(int) bool {
	for l.busy.Load() {
	}
	return !l.busy.Swap(true)
}

// A try gives the lock back in a deferred call, whether it has it or not.
type TryDefers struct{ bit }

func NewTryDefers(int) *TryDefers { return new(TryDefers) } // want: !sf; all: !me !sf
func (l *TryDefers) TryLock(int) (ok bool) {
	defer func() {
		if !ok {
			l.busy.Store(false)
		}
	}()
	return !l.busy.Swap(true)
}

// The same, where a failed try does not get the lock. A process that gets it enters with
// the deferred access, and makes tries fail before.
type TryNamed struct {
	bit
	tries atomic.Int32
}

func NewTryNamed(int) *TryNamed { return new(TryNamed) } // want: !sf; all: !sf !strong
func (l *TryNamed) TryLock(int) (ok bool) {
	defer l.tries.Add(-1)
	l.tries.Add(1)
	ok = l.busy.CompareAndSwap(false, true)
	return
}

// MCS whose try takes an empty queue only. The queue is also not empty during a handoff
// to the next process, which is not in its critical section yet.
type TryMCS struct {
	tail atomic.Pointer[node]
	mine []*node
}

func NewTryMCS(n int) *TryMCS { return &TryMCS{mine: make([]*node, n)} } // want: ok; all: !strong
func (l *TryMCS) Lock(i int) {
	x := &node{}
	x.wait.Store(true)
	l.mine[i] = x
	if p := l.tail.Swap(x); p != nil {
		p.next.Store(x)
		for x.wait.Load() {
		}
	}
}
func (l *TryMCS) Unlock(i int) {
	x := l.mine[i]
	if x.next.Load() == nil {
		if l.tail.CompareAndSwap(x, nil) {
			return
		}
		for x.next.Load() == nil {
		}
	}
	x.next.Load().wait.Store(false)
}
func (l *TryMCS) TryLock(i int) bool {
	x := &node{}
	x.wait.Store(true)
	l.mine[i] = x
	return l.tail.CompareAndSwap(nil, x)
}

// The same, with a try that stays in the queue when it fails: the queue grows.
type TryQueues struct{ *TryMCS }

func NewTryQueues(n int) TryQueues { return TryQueues{NewTryMCS(n)} } // want: ok; all: bounded:!dl !sf !no-effect !strong
func (l TryQueues) TryLock(i int) bool {
	x := &node{}
	x.wait.Store(true)
	l.mine[i] = x
	p := l.tail.Swap(x)
	if p != nil {
		p.next.Store(x)
	}
	return p == nil
}

// Unlock without a swap: a process that comes in between is lost.
type Forgets2 struct{ *TryMCS }

func NewForgets2(n int) Forgets2 { return Forgets2{NewTryMCS(n)} } // want: !dl !sf; all: !dl !sf !strong
func (l Forgets2) Unlock(i int) {
	x := l.mine[i]
	if y := x.next.Load(); y != nil {
		y.wait.Store(false)
		return
	}
	l.tail.Store(nil)
}
