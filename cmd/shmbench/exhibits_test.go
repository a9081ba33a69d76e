package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/exhibits"
	"shmbench/internal/knownbroken"
)

// TestExhibitsVerdict: a published error that does not show what its specification says has failed,
// and its line says so.
func TestExhibitsVerdict(t *testing.T) {
	right := &knownbroken.Exhibited{Exhibit: exhibits.All()[0]}
	require.NoError(t, exhibitsVerdict(knownbroken.Exhibition{right}))
	wrong := &knownbroken.Exhibited{Exhibit: exhibits.All()[0], Wrong: []string{"it lacks nothing"}}
	require.ErrorIs(t, exhibitsVerdict(knownbroken.Exhibition{right, wrong}), errViolated)
	require.Nil(t, wrong.Trace())
}
