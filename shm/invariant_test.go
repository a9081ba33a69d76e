package shm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// sections is a view of processes without registers.
type sections []Section

func (s sections) N() int                    { return len(s) }
func (s sections) Section(i int) Section     { return s[i] }
func (s sections) At(int, string) bool       { return false }
func (s sections) Int(string, ...int) int    { return 0 }
func (s sections) Bool(string, ...int) bool  { return false }
func (s sections) Ref(string, ...int) string { return "nil" }

func TestIn(t *testing.T) {
	v := sections{Remainder, Waiting, Critical, Waiting, Doorway}
	require.Equal(t, 2, In(v, Waiting))
	require.Equal(t, 3, In(v, Waiting, Critical))
	require.Equal(t, 0, In(v, Exit))
	require.Equal(t, 0, In(v))
}

func TestSections(t *testing.T) {
	for s, name := range []string{"remainder", "doorway", "waiting", "critical", "exit", "section 5"} {
		require.Equal(t, name, Section(s).String())
	}
}
