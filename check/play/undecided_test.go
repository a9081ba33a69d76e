package play_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/play"
	"shmbench/internal/testkit/sample"
)

const growing = `package grow

import "sync/atomic"

type Lock struct{ busy atomic.Bool }

func New(n int) *Lock { return new(Lock) }

func (l *Lock) Lock(i int) {
	for tries := uint64(1); l.busy.Swap(true); tries = tries*3 + 1 {
		if tries%11 == 4 && tries>>20 == 5 {
			return
		}
	}
}

func (l *Lock) Unlock(i int) { l.busy.Store(false) }
`

// TestUndecided: a lock that is too large for the checker is played as far as its automata are
// known, and the document says why.
func TestUndecided(t *testing.T) {
	sample.NeedsAll(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module grow\n\ngo 1.26\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "grow.go"), []byte(growing), 0o666))
	t.Chdir(dir)
	p, err := play.Open(t.Context(), ".")
	require.NoError(t, err)
	lock, err := p.Constructor(t.Context(), "New", 2)
	require.NoError(t, err)
	require.Len(t, lock.Document.Machines, 1)
	m := lock.Document.Machines[0]
	require.Contains(t, m.Partial, "does a counter grow?")
	require.Len(t, m.Processes[0].States, 200)
	require.Len(t, lock.Document.Omitted, 3)
}
