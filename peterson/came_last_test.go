package peterson

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
	"shmbench/shm"
)

// Lines 2 to 4: process 0 makes the bits equal and waits while they are, process 1
// makes them differ and waits while they differ.
func TestKesselsWhoMakesItSoWaits(t *testing.T) {
	for i := range 2 {
		for _, bit := range []uint32{0, 1} {
			l, err := NewKessels(2, shm.Packed, shm.Sequential)
			require.NoError(t, err)
			l.q[1-i].Store(1)
			l.r[1-i].Store(bit)
			p := onestep.Enter(l, i)
			onestep.Until(t, func() bool { return l.q[i].Load() == 1 })
			p.MustWait(t)
			require.Equal(t, uint32(i), l.r[0].Load()^l.r[1].Load())
			l.r[1-i].Store(1 - bit) // the other's line 3
			p.MustEnter(t)
			p.Leave()
			require.Zero(t, l.q[i].Load())
		}
	}
}

// Lines 1 to 5: so do the processes of Peterson and Fischer's lock, with yes
// where no other process is.
func TestPetersonFischerWhoMakesItSoWaits(t *testing.T) {
	for i := range 2 {
		for _, other := range []uint32{no, yes} {
			l, err := NewPetersonFischer(2, shm.Packed)
			require.NoError(t, err)
			l.q[1-i].Store(other)
			p := onestep.Enter(l, i)
			p.MustWait(t)
			require.Equal(t, i == 0, l.q[0].Load() == l.q[1].Load())
			l.q[1-i].Store(other ^ flip)
			p.MustEnter(t)
			l.q[1-i].Store(out)
			p.Leave()
			require.Zero(t, l.q[i].Load())
			l.Lock(i)
			require.EqualValues(t, yes, l.q[i].Load())
			l.Unlock(i)
		}
	}
}

// Line 4: a process that has seen the other waits until last is written, and does not look
// at the other's bit again; line 6 writes it.
func TestTsayWaitsForLast(t *testing.T) {
	l, err := NewTsay(2, shm.Packed, shm.Sequential)
	require.NoError(t, err)
	l.Lock(1)
	p := onestep.Enter(l, 0)
	onestep.Until(t, func() bool { return l.want[0].Load() == 1 && l.last.Load() == 0 })
	p.MustWait(t)
	l.want[1].Store(0)
	p.MustWait(t)
	l.Unlock(1)
	p.MustEnter(t)
	require.Equal(t, uint32(1), l.last.Load())
}
