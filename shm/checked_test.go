package shm_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/locks/baseline"
	"shmbench/shm"
	"shmbench/tas"
)

func newChecked(t *testing.T, n int) shm.Mutex {
	m, err := tas.NewTAS(n, shm.Sequential)
	require.NoError(t, err)
	return shm.Checked(m, n)
}

// noting is a lock that notes its calls.
type noting []string

func (l *noting) Lock(pid int)   { *l = append(*l, fmt.Sprint("Lock ", pid)) }
func (l *noting) Unlock(pid int) { *l = append(*l, fmt.Sprint("Unlock ", pid)) }

// Each call of proper use, and nothing else, reaches the lock beneath.
func TestCheckedLetsProperUsePass(t *testing.T) {
	var beneath noting
	m := shm.Checked(&beneath, 2)
	for range 2 {
		for pid := range 2 {
			m.Lock(pid)
			m.Unlock(pid)
		}
	}
	require.Equal(t, noting{"Lock 0", "Unlock 0", "Lock 1", "Unlock 1", "Lock 0", "Unlock 0", "Lock 1", "Unlock 1"}, beneath)
	require.Panics(t, func() { m.Unlock(0) })
	require.Len(t, beneath, 8, "misuse does not reach it")
}

func TestCheckedPanicsOnMisuse(t *testing.T) {
	cases := []struct {
		name string
		do   func(m shm.Mutex)
		says string
	}{
		{"id -1", func(m shm.Mutex) { m.Lock(-1) }, "shm: Lock(-1): process ids are 0 to 1"},
		{"id n", func(m shm.Mutex) { m.Unlock(2) }, "shm: Unlock(2): process ids are 0 to 1"},
		{"unlock without lock", func(m shm.Mutex) { m.Unlock(0) },
			"shm: Unlock(0): process 0 is in its remainder section, not in its critical section"},
		{"lock twice", func(m shm.Mutex) { m.Lock(0); m.Lock(0) },
			"shm: Lock(0): process 0 is in its critical section, not in its remainder section"},
		{"a stranger's unlock", func(m shm.Mutex) { m.Lock(0); m.Unlock(1) },
			"shm: Unlock(1): process 1 is in its remainder section, not in its critical section"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.PanicsWithValue(t, c.says, func() { c.do(newChecked(t, 2)) })
		})
	}
}

// A lock that misuse has been kept away from is still usable.
func TestCheckedRefusesBeforeTheLockIsTouched(t *testing.T) {
	m := newChecked(t, 2)
	m.Lock(0)
	require.Panics(t, func() { m.Unlock(1) })
	m.Unlock(0)
	m.Lock(1)
	m.Unlock(1)
}

func TestCheckedRefusesANumberOfProcesses(t *testing.T) {
	for _, n := range []int{0, -1} {
		require.PanicsWithValue(t, fmt.Sprintf("shm: Checked(m, %d): a lock has 1 process or more", n),
			func() { shm.Checked(new(tas.TASMutex), n) })
	}
}

func TestLockerIsOneProcess(t *testing.T) {
	null, err := baseline.NewNull(2)
	require.NoError(t, err)
	m := shm.Checked(null, 2)
	zero, one := shm.Locker(m, 0), shm.Locker(m, 1)
	zero.Lock()
	one.Lock() // the null lock lets both in, so Checked sees two processes
	require.PanicsWithValue(t,
		"shm: Lock(0): process 0 is in its critical section, not in its remainder section", zero.Lock)
	zero.Unlock()
	one.Unlock()
}
