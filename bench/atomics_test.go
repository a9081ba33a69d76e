package bench

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/internal/overlay"
)

// The table of atomic operations is held against a count: the locks' own
// source, compiled with a counting twin of sync/atomic.
func TestOwnAtomicsAreWhatTheSourceDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	counts := countAtomics(t, map[string]string{"sync/atomic": "shmbench/internal/twin/counting"})
	for _, a := range catalog.All() {
		name := a.Name
		if a.VariantOf != "" {
			name = a.VariantOf
		}
		want := ownAtomics[name]
		if want == nil {
			want = map[string]int{}
		}
		require.Equal(t, want, counts[a.Name], a.Name)
	}
}

// Without the twin there is nothing to count, so that the count above is the
// twin's.
func TestNothingIsCountedWithoutTheTwin(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	for name, ops := range countAtomics(t, nil) {
		require.Empty(t, ops, name)
	}
}

func countAtomics(t *testing.T, replace map[string]string) map[string]map[string]int {
	t.Helper()
	program := filepath.Join(t.TempDir(), "passage.exe")
	err := overlay.Build(t.Context(), overlay.Options{
		Dir: ".",
		Packages: []string{
			"shmbench/bakery", "shmbench/peterson", "shmbench/tournament",
			"shmbench/tas", "shmbench/cas", "shmbench/queue", "shmbench/baseline",
		},
		Replace: replace,
		Target:  "shmbench/internal/twin/counting/passage",
		Output:  program,
	})
	if err == overlay.ErrNoGo {
		t.Skip(err)
	}
	require.NoError(t, err)
	out, err := exec.Command(program).Output()
	require.NoError(t, err)
	var counts map[string]map[string]int
	require.NoError(t, json.Unmarshal(out, &counts))
	return counts
}
