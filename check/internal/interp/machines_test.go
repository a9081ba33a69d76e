package interp

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/load"
)

// machines is the package that these tests build locks of.
var machines = sync.OnceValues(func() (*load.Program, error) {
	return load.Load(context.Background(), "", "./testdata/machines")
})

func machine(t *testing.T) *Machine {
	t.Helper()
	prog, err := machines()
	require.NoError(t, err)
	m := New(t.Context(), prog)
	require.NoError(t, m.Init())
	return m
}

// built returns a machine with the lock that a constructor builds for n processes.
func built(t *testing.T, constructor string, n int) *Machine {
	t.Helper()
	m := machine(t)
	c, err := m.Constructor(constructor)
	require.NoError(t, err)
	require.NoError(t, m.Build(c, n), constructor)
	return m
}

// cellOf returns the address of the cell with a name.
func cellOf(t *testing.T, m *Machine, name string) Ptr {
	t.Helper()
	for p, n := range m.Names().All() {
		if n == name {
			return p
		}
	}
	require.Fail(t, "no cell "+name)
	return Ptr{}
}

// passages runs each process alone through a passage of its own, again as long
// as some memory is found to be of another kind.
func passages(t *testing.T, m *Machine) {
	t.Helper()
	for range 20 {
		again := false
		for pid := range m.N {
			memory := map[Ptr]Value{}
			st, err := m.Start(pid)
			for steps := 0; err == nil && st.Fault == nil && st.Section < Exit; steps++ {
				require.Less(t, steps, 100)
				before, written := memory[st.Access.At]
				if !written && st.Access.Op != Pass {
					before = m.Initial(st.Access.At)
				}
				now, result := st.Access.Apply(before)
				memory[st.Access.At] = now
				if st.Section == Critical {
					break
				}
				st, err = m.Resume(pid, st, result)
			}
			if err != nil {
				require.ErrorIs(t, err, ErrReclassified)
				again = true
				continue
			}
			require.Nil(t, st.Fault)
		}
		if !again {
			return
		}
	}
	require.Fail(t, "learning does not end")
}
