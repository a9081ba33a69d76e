package failover

import "shmbench/distributed"

// CentralMajority is the specification of [reign] with every node as a voter.
var CentralMajority = reigning(distributed.Algorithm{
	Name:  "central-majority",
	Title: "Central coordinator, replaced by a node with a majority",
	Claims: distributed.Claims{
		CrashFrom: 3,
		Survives:  "crashes and restarts while a majority is up, lost messages, and a partition on the side of the majority",
		Wins: func(v *distributed.View, i distributed.ID) bool {
			side := 0
			for _, s := range v.Side {
				if s == v.Side[i] {
					side++
				}
			}
			return 2*side > len(v.Side)
		},
	},
	Cost: distributed.Cost{
		Messages: "2(N−1)+3, the coordinator's own 2(N−1), and 2 for each 4 ticks of waiting",
		Idle: func(c distributed.Config) (float64, float64) {
			n := float64(c.Nodes)
			return 2*(n-1) + 3*(n-1)/n, 2*(n-1) + 3
		},
	},
}, 0, func(c distributed.Config) []distributed.ID {
	voters := make([]distributed.ID, c.Nodes)
	for i := range voters {
		voters[i] = distributed.ID(i)
	}
	return voters
})
