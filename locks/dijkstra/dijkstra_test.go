package dijkstra

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// Lines 2 to 5: the turn of a process that wants to enter is not taken from it,
// that of one that does not is.
func TestTheTurnIsTakenFromWhoDoesNotWantIt(t *testing.T) {
	l, err := NewDijkstra(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.k.Store(2)
	l.b.At(2).Store(false)
	p := onestep.Enter(l, 1)
	p.MustWait(t)
	require.Equal(t, uint32(2), l.k.Load())
	require.True(t, l.c.At(1).Load())
	l.b.At(2).Store(true)
	p.MustEnter(t)
	require.Equal(t, uint32(1), l.k.Load())
	p.Leave()
	require.True(t, l.b.At(1).Load() && l.c.At(1).Load())
	require.Equal(t, uint32(1), l.k.Load(), "the turn stays")
}

// Line 7: with the turn, a process waits while another has its c clear.
func TestTheTurnIsNotEnough(t *testing.T) {
	l, err := NewDijkstra(3, shm.Padded, shm.Sequential)
	require.NoError(t, err)
	l.c.At(2).Store(false)
	p := onestep.Enter(l, 0)
	p.MustWait(t)
	l.c.At(2).Store(true)
	p.MustEnter(t)
	p.Leave()
}

// turned is a lock with a turn that goes round.
type turned interface {
	shm.Mutex
	registers() *controls
}

func (c *controls) registers() *controls { return c }

// turns are the three locks, for four processes, and where the turn is when
// process 2 has left and process 0 wants to enter, by where it was when it came.
var turns = []struct {
	name  string
	lock  func() (turned, error)
	step  int
	after [4]uint32
}{
	{"knuth", func() (turned, error) { return NewKnuth(4, shm.Packed, shm.Sequential) }, -1, [4]uint32{0: 1, 1: 1, 2: 1, 3: 1}},
	{"debruijn", func() (turned, error) { return NewDeBruijn(4, shm.Packed, shm.Sequential) }, -1, [4]uint32{0: 0, 1: 0, 2: 1, 3: 2}},
	{"eisenbergmcguire", func() (turned, error) { return NewEisenbergMcGuire(4, shm.Packed, shm.Sequential) }, 1, [4]uint32{0: 0, 1: 0, 2: 0, 3: 0}},
}

// The exit section gives the turn to the process that the paper says.
func TestTurns(t *testing.T) {
	for _, c := range turns {
		for k := range c.after {
			l, err := c.lock()
			require.NoError(t, err)
			r := l.registers()
			r.k.Store(uint32(k))
			l.Lock(2)
			require.EqualValues(t, goesIn, r.control.At(2).Load(), c.name)
			r.control.At(0).Store(wants)
			l.Unlock(2)
			require.Equal(t, c.after[k], r.k.Load(), "%s, k = %d", c.name, k)
			require.EqualValues(t, outside, r.control.At(2).Load(), c.name)
		}
	}
}

// Line 2: a process waits while one between the turn and itself wants to enter, and
// shows that it waits, and not for one behind it.
func TestWaitsForThoseBetween(t *testing.T) {
	for _, c := range turns {
		l, err := c.lock()
		require.NoError(t, err)
		r := l.registers()
		turn := r.next(r.next(2, -c.step), -c.step) // two places before process 2
		between, behind := r.next(2, -c.step), r.next(2, c.step)
		r.k.Store(uint32(turn))
		r.control.At(between).Store(wants)
		r.control.At(behind).Store(wants)
		p := onestep.Enter(l, 2)
		onestep.Until(t, func() bool { return r.control.At(2).Load() == wants })
		p.MustWait(t)
		require.EqualValues(t, wants, r.control.At(2).Load(), c.name)
		r.control.At(between).Store(outside)
		p.MustEnter(t)
		p.Leave()
	}
}

// Line 4: of two that go in one waits.
func TestOneGoesIn(t *testing.T) {
	for _, c := range turns {
		l, err := c.lock()
		require.NoError(t, err)
		r := l.registers()
		r.k.Store(2)
		r.control.At(0).Store(goesIn)
		p := onestep.Enter(l, 2)
		p.MustWait(t)
		r.control.At(0).Store(wants)
		p.MustEnter(t)
		p.Leave()
	}
}

// Line 5 of Eisenberg and McGuire: no process enters past a process that has the turn
// and wants to, even if it came after line 2.
func TestNobodyEntersPastTheTurn(t *testing.T) {
	l, err := NewEisenbergMcGuire(3, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.control.At(0).Store(goesIn)
	l.k.Store(2)
	p := onestep.Enter(l, 2)
	p.MustWait(t) // between lines 1 and 4
	l.k.Store(1)
	l.control.At(1).Store(wants)
	l.control.At(0).Store(wants)
	p.MustWait(t)
	l.control.At(1).Store(outside)
	l.control.At(0).Store(outside)
	p.MustEnter(t)
	p.Leave()
}

// Knuth's bound, and what it is where an int does not hold it.
func TestKnuthBypass(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 1, 3: 3, 4: 7, 20: 1<<19 - 1} {
		require.Equal(t, want, knuthBypass(n))
	}
	require.Positive(t, knuthBypass(shm.MaxProcs))
	require.GreaterOrEqual(t, knuthBypass(shm.MaxProcs), knuthBypass(60))
}
