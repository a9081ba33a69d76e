package check

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/shm"
)

// TestHome: a register lies where the specification says, by its last index; where that says
// nothing, with its one reader, or else its one writer.
func TestHome(t *testing.T) {
	spec := &shm.Algorithm{Space: shm.Space{{Name: "P", Own: true}, {Name: "T"}}}
	for name, want := range map[string]int{"P[1][2]": 2, "level[0].P[3]": 3, "node[4].P": 4, "P": -1, "T[1]": -1, "Q[1]": -1} {
		require.Equal(t, want, ownerOf(spec, name), name)
	}
	require.Equal(t, -1, ownerOf(nil, "P[1]"), "a lock without a specification")
	for want, u := range map[int]used{
		3:  {readers: 0b1, writers: 0b10, owner: 3},
		0:  {readers: 0b1, writers: 0b10, owner: -1},
		1:  {readers: 0b11, writers: 0b10, owner: -1},
		-1: {readers: 0b11, writers: 0b11, owner: -1},
	} {
		require.Equal(t, want, u.home())
	}
}
