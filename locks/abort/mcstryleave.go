package abort

import "shmbench/shm/spin"

// leave is the rest of a timed entry section that has run out of time. It reports
// whether the process has entered after all.
func (l *MCSTryMutex) leave(node *mcsTryNode, I, pred uint32) bool {
	succ := node.announce()
	if succ != nobody && l.of(succ).prev.Swap(leavingOther) == leavingSelf { // 16
		spin.Until(func() bool { return node.next.Load() == succ }) // 17
	}
	mark := uint32(leavingOther)
	if succ == nobody {
		mark = tagged
	}
	for {
		p := node.prev.Swap(leavingSelf) // 18
		if p == leavingOther {
			p = node.settled() // 19
			if p&granted == 0 {
				pred = l.relink(node, I, pred, p)
				continue
			}
		}
		if p&granted != 0 {
			return l.serendipity(node, I, succ, p)
		}
		if p != pred {
			pred = l.relink(node, I, pred, p) // 20
		}
		n := l.of(pred).next.Swap(mark) // 21
		if n&granted != 0 {
			return l.serendipity(node, I, succ, changed(&node.prev, leavingSelf)) // 22
		}
		if n != leavingSelf {
			break
		}
		l.of(pred).next.Store(I) // 23
		p = node.settled()       // 23
		if p&granted != 0 {
			return l.serendipity(node, I, succ, p)
		}
		pred = l.relink(node, I, pred, p)
	}
	l.unlink(node, I, pred, succ)
	return false
}

// announce is lines 12 to 15. It returns the successor.
func (node *mcsTryNode) announce() uint32 {
	for ; ; spin.Pause() {
		succ := node.next.Load()                                              // 12
		if succ&tagged != 0 || !node.next.CompareAndSwap(succ, leavingSelf) { // 13
			continue
		}
		switch succ {
		case gone:
			return nobody // 14
		case leavingOther:
			changed(&node.next, leavingSelf) // 15
		default:
			return succ
		}
	}
}

// settled waits until no process is leaving before the node, and returns its prev.
func (node *mcsTryNode) settled() (p uint32) {
	spin.Until(func() bool { p = node.prev.Load(); return p != leavingSelf && p != leavingOther })
	return p
}

// unlink is lines 24 to 28.
func (l *MCSTryMutex) unlink(node *mcsTryNode, I, pred, succ uint32) {
	next := &l.of(pred).next
	if succ == nobody {
		if l.tail.CompareAndSwap(I, pred) { // 24
			if !next.CompareAndSwap(tagged, gone) { // 25
				newcomer := next.Load() &^ tagged  // 26
				next.Store(newcomer)               // 26
				l.of(newcomer).cleared.Store(true) // 26
			}
			return
		}
		succ = changed(&node.next, leavingSelf) // 27
		next.Store(leavingOther)                // 27
	}
	l.of(succ).prev.Store(pred) // 28
}

// serendipity is lines 29 to 32: the process has been granted the lock by p.
func (l *MCSTryMutex) serendipity(node *mcsTryNode, I, succ, p uint32) bool {
	l.of(p &^ granted).next.Store(nobody) // 29
	if succ == nobody {
		if node.next.CompareAndSwap(leavingSelf, nobody) { // 30
			return true
		}
		succ = node.next.Load() // 31
	} else {
		node.next.Store(succ) // 32
	}
	l.of(succ).prev.Store(I | tagged) // 31, 32
	return true
}
