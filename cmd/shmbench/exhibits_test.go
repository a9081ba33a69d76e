package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/exhibits"
)

// TestExhibitsVerdict: an exhibit that does not show what its card says has failed,
// and its line says so.
func TestExhibitsVerdict(t *testing.T) {
	right := &check.Exhibited{Exhibit: exhibits.All()[0]}
	require.NoError(t, exhibitsVerdict(check.Exhibition{right}))
	wrong := &check.Exhibited{Exhibit: exhibits.All()[0], Wrong: []string{"it lacks nothing"}}
	require.ErrorIs(t, exhibitsVerdict(check.Exhibition{right, wrong}), errViolated)
	require.Nil(t, wrong.Trace())
}
