package automaton

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/interp"
)

// TestKind: whether an access reads or writes, has a fence behind it, and goes through sync/atomic.
func TestKind(t *testing.T) {
	for _, c := range []struct {
		access   *interp.Access
		kind     AccessKind
		unfenced bool
	}{
		{nil, 0, false},
		{&interp.Access{Op: interp.Pass}, 0, false},
		{&interp.Access{Op: interp.Call}, 0, false},
		{&interp.Access{Op: interp.Poll}, 0, false},
		{&interp.Access{Op: interp.Load}, Reads, false},
		{&interp.Access{Op: interp.Load, Plain: true}, Reads | Plain, false},
		{&interp.Access{Op: interp.Store}, Writes, false},
		{&interp.Access{Op: interp.Store, Plain: true}, Writes | Plain, true},
		{&interp.Access{Op: interp.StoreRelease}, Writes | Released, true},
		{&interp.Access{Op: interp.Swap}, Reads | Writes, false},
		{&interp.Access{Op: interp.Add}, Reads | Writes, false},
	} {
		kind := Kind(&interp.State{Access: c.access})
		require.Equal(t, c.kind, kind)
		require.Equal(t, c.unfenced, kind.Unfenced(), kind)
	}
}
