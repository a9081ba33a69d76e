package failover_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/failover"
)

// In a network that is cut, each node of the greater side makes progress. Two equal sides
// make none.
func TestTheMajorityWins(t *testing.T) {
	const left, right = false, true
	for _, c := range []struct {
		side []bool
		wins []bool
	}{
		{[]bool{left, left, left}, []bool{true, true, true}},
		{[]bool{left, right, right}, []bool{false, true, true}},
		{[]bool{left, right, left}, []bool{true, false, true}},
		{[]bool{left, right, right, left}, []bool{false, false, false, false}},
		{[]bool{right, right, right, left}, []bool{true, true, true, false}},
		{[]bool{left, right, left, right, left}, []bool{true, false, true, false, true}},
	} {
		v := &distributed.View{Side: c.side}
		for i, wins := range c.wins {
			require.Equal(t, wins, failover.CentralMajority.Claims.Wins(v, distributed.ID(i)), "node %d of %v", i, c.side)
		}
	}
}
