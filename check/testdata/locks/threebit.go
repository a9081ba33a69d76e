package locks

import "sync/atomic"

// ThreeBit is Lamport's three-bit algorithm ("The Mutual Exclusion Problem: Part
// II", Journal of the ACM 33(2), 1986, p. 327-348), for safe registers: x, y and z
// of process i are written by it alone.
type ThreeBit struct{ x, y, z []atomic.Bool }

// NewThreeBit returns the lock for n processes.
func NewThreeBit(n int) *ThreeBit {
	return &ThreeBit{make([]atomic.Bool, n), make([]atomic.Bool, n), make([]atomic.Bool, n)}
}

// Lock is the entry section.
func (l *ThreeBit) Lock(i int) {
	n := len(l.x)
	l.y[i].Store(true)
	l.x[i].Store(true)
	for {
		first := l.first()
		j := first
		for j != i && !l.y[j].Load() {
			j = (j + 1) % n
		}
		if j != i {
			if l.x[i].Load() {
				l.x[i].Store(false)
			}
			continue
		}
		if !l.x[i].Load() {
			l.x[i].Store(true)
			continue
		}
		j = (i + 1) % n
		for j != first && !l.x[j].Load() {
			j = (j + 1) % n
		}
		if j == first {
			return
		}
	}
}

// first returns the first process, of those whose y is set, at which z changes
// from that of the one before it, going round from the last one; the first of them
// comes after a change if its z is that of the last.
func (l *ThreeBit) first() int {
	var g [4]int
	var z [4]bool
	m := 0
	for j := range l.y {
		if l.y[j].Load() {
			g[m], z[m] = j, l.z[j].Load()
			m++
		}
	}
	if m == 0 || z[0] == z[m-1] {
		return g[0]
	}
	for k := 1; k < m; k++ {
		if z[k-1] != z[k] {
			return g[k]
		}
	}
	return g[0]
}

// Unlock is the exit section.
func (l *ThreeBit) Unlock(i int) {
	l.z[i].Store(!l.z[i].Load())
	l.x[i].Store(false)
	l.y[i].Store(false)
}
