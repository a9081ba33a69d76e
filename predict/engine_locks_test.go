package predict

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func (s steps) Next(got uint64) Access { return s(got) }

// mcs and ticket are locks as access programs.
type mcs struct {
	tail         int32
	next, locked []int32
	me, n        int
	cs           Time
	left, pc     int
}

func (q *mcs) Next(got uint64) Access {
	q.pc++
	me := uint64(q.me + 1)
	switch q.pc {
	case 1:
		if q.left--; q.left < 0 {
			return Access{Op: End}
		}
		return Access{Op: StoreRelease, Word: q.next[q.me]}
	case 2:
		return Access{Op: StoreRelease, Word: q.locked[q.me], Arg: 1}
	case 3:
		return Access{Op: Swap, Word: q.tail, Arg: me}
	case 4:
		if got == 0 {
			q.pc = 6
			return Access{Op: Work, Time: q.cs}
		}
		return Access{Op: StoreRelease, Word: q.next[got-1], Arg: me}
	case 5:
		return Access{Op: Load, Word: q.locked[q.me]}
	case 6:
		if got != 0 {
			q.pc--
			return Access{Op: Load, Word: q.locked[q.me]}
		}
		return Access{Op: Work, Time: q.cs}
	case 7:
		return Access{Op: Load, Word: q.next[q.me]}
	}
	if got == 0 {
		q.pc = 7
		return Access{Op: Load, Word: q.next[q.me]}
	}
	q.pc = 0
	return Access{Op: StoreRelease, Word: q.locked[got-1]}
}

// TestMCS: the transfers of a passage do not depend on how many wait.
func TestMCS(t *testing.T) {
	var before float64
	for _, n := range []int{4, 16, 64} {
		e := newTestEngine(t, machine(fmt.Sprintf("cores=%d", n)), 1)
		tail := e.AddWord(e.AddLine(), 0)
		var next, locked []int32
		for range n {
			l := e.AddLine()
			next, locked = append(next, e.AddWord(l, 0)), append(locked, e.AddWord(l, 0))
		}
		moved := moves(e)
		passages := 0
		e.Marked = func(int, uint64, Time) { passages++ }
		for i := range n {
			e.AddProcess(&mcs{tail: tail, next: next, locked: locked, me: i, n: n, cs: NS(500), left: 1 << 20}, NS(float64(i)))
		}
		const measured = 500 * 1000 * 1000 // in ps, some 800 passages
		from, at := 0, Time(measured)
		require.NoError(t, e.Run(func() bool {
			if from == 0 && e.Now() > at/2 {
				from = *moved
			}
			return e.Now() < at
		}))
		per := float64(*moved-from) / (float64(measured) / 2 / 1000)
		if before != 0 {
			require.InEpsilon(t, before, per, 0.02, "transfers a ns with %d processes", n)
		}
		before = per
	}
}

// TestTicket: a waiter more makes a hand-over longer by half the time that its read
// occupies the line, as the next is anywhere among the readers.
func TestTicket(t *testing.T) {
	passage := func(n int) float64 {
		m := machine(fmt.Sprintf("cores=%d", n))
		e := newTestEngine(t, m, 3)
		next, owner := e.AddWord(e.AddLine(), 0), e.AddWord(e.AddLine(), 0)
		const each = 60
		for range n {
			left, pc, mine := each, 0, uint64(0)
			e.AddProcess(steps(func(got uint64) Access {
				pc++
				switch pc {
				case 1:
					if left--; left < 0 {
						return Access{Op: End}
					}
					return Access{Op: Add, Word: next, Arg: 1}
				case 2:
					mine = got - 1
					return Access{Op: Load, Word: owner}
				case 3:
					if got != mine {
						return Access{Op: Pause}
					}
					pc = 5
					return Access{Op: Work, Time: NS(3000)}
				case 4:
					pc = 2
					return Access{Op: Load, Word: owner}
				}
				pc = 0
				return Access{Op: StoreRelease, Word: owner, Arg: mine + 1}
			}), 0)
		}
		require.NoError(t, e.Run(nil))
		return e.Now().NS() / float64(n*each)
	}
	slope := (passage(48) - passage(16)) / 32
	require.InEpsilon(t, machine("cores=2").ReadOccupancy/2, slope, 0.1)
}

// TestSeeds: a seed gives the same run, and another seed another.
func TestSeeds(t *testing.T) {
	run := func(seed uint64) (Time, int64) {
		m := machine("sockets=2,cores=3,threads=2")
		m.Policy = Random
		e := newTestEngine(t, m, seed)
		w := e.AddWord(e.AddLine(), 0)
		for i := range 12 {
			left := 30
			e.AddProcess(steps(func(got uint64) Access {
				if got == 1 {
					left--
					return Access{Op: StoreRelease, Word: w}
				}
				if left == 0 {
					return Access{Op: End}
				}
				return Access{Op: CompareAndSwap, Word: w, New: uint64(i + 1)}
			}), 0)
		}
		require.NoError(t, e.Run(nil))
		return e.Now(), e.Accesses
	}
	at, accesses := run(1)
	again, same := run(1)
	require.Equal(t, at, again)
	require.Equal(t, accesses, same)
	other, _ := run(2)
	require.NotEqual(t, at, other)
}

// TestForEver: processes that all wait forever are an error, and those that
// poll so many times only are not.
func TestForEver(t *testing.T) {
	e := newTestEngine(t, machine("cores=1"), 1)
	w := e.AddWord(e.AddLine(), 0)
	e.AddProcess(steps(func(uint64) Access { return Access{Op: Load, Word: w} }), 0)
	require.ErrorIs(t, e.Run(nil), ErrStuck)

	e = newTestEngine(t, machine("cores=1"), 1)
	w = e.AddWord(e.AddLine(), 0)
	left := 100
	e.AddProcess(steps(func(uint64) Access {
		if left--; left < 0 {
			return Access{Op: End}
		}
		return Access{Op: Load, Word: w}
	}), 0)
	require.NoError(t, e.Run(nil))
}
