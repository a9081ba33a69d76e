package compiled

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/interp"
)

// A process may panic before reads of its own that come to nothing, and before
// nothing else.
func TestEarlyPanics(t *testing.T) {
	panics := "process 1 panics: index out of range"
	read := expected{pid: 1, access: &interp.Access{Op: interp.Load, Plain: true}}
	quiet := expected{pid: 1, quiet: interp.Quiet{Op: interp.Load}}
	other := expected{pid: 0, access: &interp.Access{Op: interp.Store}}
	f := &forecast{pid: 1, fault: new(interp.Fault), events: []expected{other, read, quiet, other}}
	for k := range len(f.events) + 1 {
		require.True(t, f.early(k, panics), k)
		require.False(t, f.early(k, ""), k)
		require.False(t, f.early(k, "process 0 panics: index out of range"), k)
	}
	for _, e := range []expected{
		{pid: 1, access: &interp.Access{Op: interp.Store, Plain: true}},
		{pid: 1, access: &interp.Access{Op: interp.Load}},
		{pid: 1, quiet: interp.Quiet{Op: interp.Store}},
	} {
		f.events[2] = e
		require.False(t, f.early(1, panics))
		require.True(t, f.early(3, panics))
	}
	f.fault = nil
	require.False(t, f.early(4, panics))
	f.fault = &interp.Fault{Endless: true}
	require.False(t, f.early(4, panics))
}
