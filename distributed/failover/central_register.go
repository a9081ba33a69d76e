package failover

import "shmbench/distributed"

// CentralRegister is the specification of [reign] with the register as the only voter.
var CentralRegister = reigning(distributed.Algorithm{
	Name:   "central-register",
	Title:  "Central coordinator, replaced by a node that wins the reign at a register that all reach",
	Server: true, Apart: true,
	Claims: distributed.Claims{
		Survives: "crashes of all but the register and one, restarts, lost messages, and a partition on the side that has the reign",
		Wins: func(v *distributed.View, i distributed.ID) bool { // where the reign is, or may be won
			owner := distributed.NodeOf[*reign](v, 0).vote
			return owner == distributed.None || v.Down[owner] || v.Side[owner] == v.Side[i]
		},
	},
	Cost: distributed.Cost{
		Messages: "5, the coordinator's own 2, and 2 for each 4 ticks of waiting",
		Idle: func(c distributed.Config) (float64, float64) {
			members := float64(c.Nodes - 1)
			return 5 - 3/members, 5
		},
	},
}, 1, func(distributed.Config) []distributed.ID { return []distributed.ID{0} })
