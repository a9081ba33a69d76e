package shm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

// recovers is a lock whose Recover has an outcome, and that counts calls of Lock.
type recovers struct {
	outcome shm.Outcome
	locked  int
}

func (l *recovers) Recover(int) shm.Outcome { return l.outcome }
func (l *recovers) Lock(int)                { l.locked++ }
func (l *recovers) Unlock(int)              {}

// TestRecover: Lock is called after Enter only, and a finished passage is not entered again.
func TestRecover(t *testing.T) {
	for outcome, want := range map[shm.Outcome]struct {
		inside bool
		locked int
		text   string
	}{shm.Enter: {true, 1, "enter"}, shm.Inside: {true, 0, "inside"}, shm.Finished: {false, 0, "finished"}} {
		l := &recovers{outcome: outcome}
		require.Equal(t, want.inside, shm.Recover(l, 0), want.text)
		require.Equal(t, want.locked, l.locked, want.text)
		require.Equal(t, want.text, outcome.String())
	}
	require.Equal(t, "Outcome(3)", shm.Outcome(3).String())
}
