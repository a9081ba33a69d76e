package verdicts

import "sync/atomic"

// Goto Peterson.
type Goto struct {
	flag [2]atomic.Bool
	turn atomic.Int32
}

func NewGoto(int) *Goto { return new(Goto) } // want: ok
func (l *Goto) Lock(i int) {
	j := 1 - i
	l.flag[i].Store(true)
	l.turn.Store(int32(j))
again:
	if !l.flag[j].Load() {
		goto in
	}
	if l.turn.Load() == int32(j) {
		goto again
	}
in:
}
func (l *Goto) Unlock(i int) { l.flag[i].Store(false) }

// Peterson with the stores exchanged.
type GotoWrong struct{ Goto }

func NewGotoWrong(int) *GotoWrong { return new(GotoWrong) } // want: !me
func (l *GotoWrong) Lock(i int) {
	j := 1 - i
	l.turn.Store(int32(j))
	l.flag[i].Store(true)
	for l.flag[j].Load() && l.turn.Load() == int32(j) {
	}
}

// Labeled continue: scan all others.
type Scan struct{ flag []atomic.Bool }

func NewScan(n int) *Scan { return &Scan{make([]atomic.Bool, n)} } // want: !sf
func (l *Scan) Lock(i int) {
retry:
	for {
		for j := range i {
			if l.flag[j].Load() {
				continue retry
			}
		}
		l.flag[i].Store(true)
		for j := 0; j < i; j++ {
			if l.flag[j].Load() {
				l.flag[i].Store(false)
				continue retry
			}
		}
		break retry
	}
	for j := i + 1; j < len(l.flag); j++ {
		for l.flag[j].Load() {
		}
	}
}
func (l *Scan) Unlock(i int) { l.flag[i].Store(false) }

// Switch state machine.
type Machine struct {
	state [2]atomic.Int32
	turn  atomic.Int32
}

func NewMachine(int) *Machine { return new(Machine) } // want: ok
func (l *Machine) Lock(i int) {
	for st := 0; ; {
		switch st {
		case 0:
			l.state[i].Store(1)
			st++
			fallthrough
		case 1:
			l.turn.Store(int32(i))
			st = 2
		case 2:
			if l.state[1-i].Load() == 0 || l.turn.Load() != int32(i) {
				return
			}
		default:
			panic("no such state")
		}
	}
}
func (l *Machine) Unlock(i int) { l.state[i].Store(0) }

// Recursion of tournament nodes.
type tree struct {
	left, right *tree
	flag        [2]atomic.Bool
	turn        atomic.Int32
}
type Tree struct {
	root *tree
	n    int
}

func build(n int) *tree {
	if n < 2 {
		return nil
	}
	return &tree{left: build((n + 1) / 2), right: build(n / 2)}
}
func NewTree(n int) *Tree { return &Tree{build(n), n} } // want: ok
func (t *tree) lock(i, n int) {
	if t == nil {
		return
	}
	side := 0
	if h := (n + 1) / 2; i < h {
		t.left.lock(i, h)
	} else {
		side = 1
		t.right.lock(i-h, n-h)
	}
	t.flag[side].Store(true)
	t.turn.Store(int32(side))
	for t.flag[1-side].Load() && t.turn.Load() == int32(side) {
	}
}
func (t *tree) unlock(i, n int) {
	if t == nil {
		return
	}
	h := (n + 1) / 2
	if i < h {
		t.flag[0].Store(false)
		t.left.unlock(i, h)
		return
	}
	t.flag[1].Store(false)
	t.right.unlock(i-h, n-h)
}
func (l *Tree) Lock(i int)   { l.root.lock(i, l.n) }
func (l *Tree) Unlock(i int) { l.root.unlock(i, l.n) }

// Flags of an array of structures; no process gives way.
type slot struct{ want, in atomic.Bool }
type Slots struct{ s [2]slot }

func NewSlots(int) *Slots { return new(Slots) } // want: !dl !sf
func (l *Slots) Lock(i int) {
	l.s[i].want.Store(true)
	for j := range l.s {
		if j == i {
			continue
		}
		for l.s[j].want.Load() {
		}
	}
	l.s[i].in.Store(true)
}
func (l *Slots) Unlock(i int) { l.s[i].in.Store(false); l.s[i].want.Store(false) }
