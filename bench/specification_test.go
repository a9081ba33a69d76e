package bench

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/locks/delegation"
	"shmbench/locks/queue"
	"shmbench/locks/recoverable"
	"shmbench/shm"
)

// TestSpecify: a specification says for how many processes there are bounds, which the
// texts of the formulas do not tell a program.
func TestSpecify(t *testing.T) {
	s := SpecifyForFile(queue.Ticket(shm.Padded, shm.Sequential))
	require.Equal(t, "queue", s.Family)
	require.Equal(t, []shm.Mode{shm.Exclusive, shm.Try}, s.Modes)
	require.NotNil(t, s.Accesses)
	require.Equal(t, shm.Ranges{{1, shm.MaxProcs}}, s.BoundedBypass)
	require.Equal(t, shm.Ranges{}, s.BoundedSpace, "tickets grow")

	own := SpecifyForFile(shm.Algorithm{Name: "mine", MinProcs: 1, MaxProcs: 4, Claims: shm.Claims{Bypass: shm.TwoProcs},
		New: func(int) (shm.Mutex, error) { return nil, &shm.ProcsError{} }})
	require.Equal(t, "mine", own.Family)
	require.Nil(t, own.Accesses)
	require.Equal(t, shm.Ranges{{1, 2}}, own.BoundedBypass)
	require.Equal(t, shm.Ranges{}, own.BoundedSpace, "a space that is not known is not bounded")
	text, err := json.Marshal(own)
	require.NoError(t, err)
	require.Contains(t, string(text), `"name":"mine"`)
	require.Contains(t, string(text), `"bounded_bypass":[[1,2]]`)
	require.NotContains(t, string(text), "bounded_space")
}

// TestNameable: a name that a file of results cannot have is known.
func TestNameable(t *testing.T) {
	for _, name := range []string{"mylock/mylock", "mylock/New", "queue/mcs-packed", "mylock"} {
		require.True(t, Nameable(name), name)
	}
	for _, name := range []string{"", "my-lock/lock", "my lock", "a/b/c", "a=b", "a:b", "a\nb", "a/b\"c"} {
		require.False(t, Nameable(name), name)
	}
}

// TestKinds: a specification names what a lock has beside the modes of a passage.
func TestKinds(t *testing.T) {
	require.Empty(t, Kinds(queue.Ticket(shm.Padded, shm.Sequential)))
	require.Equal(t, []string{"recoverable"}, Kinds(recoverable.RTAS()))
	require.Equal(t, []string{"delegation"}, Kinds(delegation.CCSynchMutex()))
}

// TestMeasuredAgain: the second name of a lock is that of a variant of the same lock.
func TestMeasuredAgain(t *testing.T) {
	for _, a := range []shm.Algorithm{{Name: "a/b"}, {Name: "a/b-packed", VariantOf: "a/b"}} {
		again := MeasuredAgain(a)
		require.Equal(t, a.Name+"-again", again.Name)
		require.Equal(t, "a/b", again.VariantOf)
		require.True(t, Nameable(again.Name))
	}
}
