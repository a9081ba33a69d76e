package region

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProgramHas: an address is in the program from the beginning of a segment up to its end,
// and in no gap.
func TestProgramHas(t *testing.T) {
	p := program{segments: []extent{{10, 20}, {30, 40}}}
	for address, has := range map[uintptr]bool{0: false, 9: false, 10: true, 19: true, 20: false, 29: false, 30: true, 39: true, 40: false, 99: false} {
		require.Equal(t, has, p.has(address), address)
	}
}
