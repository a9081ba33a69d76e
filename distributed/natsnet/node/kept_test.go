package node

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
)

// What a node keeps is there after a crash, for the same node of the same run; no
// other file is overwritten.
func TestKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	k, err := OpenKept(path, "00ff", "central-bully", 2)
	require.NoError(t, err)
	require.Nil(t, k.was)
	require.NoError(t, k.save([]int64{7, 1}))
	require.NoError(t, k.save([]int64{8, 1}))
	k, err = OpenKept(path, "00ff", "central-bully", 2)
	require.NoError(t, err)
	require.Equal(t, []int64{8, 1}, k.was)
	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, files, 1, "no temporary file stays")

	for _, other := range []struct {
		run, alg string
		node     distributed.ID
	}{{"11ee", "central-bully", 2}, {"00ff", "central-ring", 2}, {"00ff", "central-bully", 1}} {
		_, err = OpenKept(path, other.run, other.alg, other.node)
		require.ErrorContains(t, err, "holds the state of node 2 of another run (central-bully, run 00ff): name another file")
	}
	for _, text := range []string{"", "what is this?", "{}", `{"run":"00ff","kept":[1],"more":1}`} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err = OpenKept(path, "00ff", "central-bully", 2)
		require.ErrorContains(t, err, "holds something else than the state of a node, and is not overwritten")
	}
	k.path = filepath.Join(t.TempDir(), "no such folder", "state")
	require.Error(t, k.save([]int64{9, 1}))
}

// The nodes that must keep something are those of the elections.
func TestKeeps(t *testing.T) {
	var names []string
	for _, a := range catalog.All {
		if Keeps(a, distributed.Config{Nodes: 3, Threads: 1}) {
			names = append(names, a.Name)
		}
	}
	require.Equal(t, []string{"central-bully", "central-ring", "central-chang-roberts", "token-ring-bully", "token-ring-ring", "token-ring-chang-roberts"}, names)
}
