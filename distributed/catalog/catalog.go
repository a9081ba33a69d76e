// Package catalog lists every message-passing mutual exclusion algorithm.
package catalog

import (
	"fmt"

	"shmbench/distributed"
	"shmbench/distributed/alien"
	"shmbench/distributed/batch"
	"shmbench/distributed/failover"
	"shmbench/distributed/lease"
	"shmbench/distributed/permission"
	"shmbench/distributed/token"
)

// All lists the algorithms in the order in which tables show them.
var All = []*distributed.Algorithm{
	&permission.Central,
	&token.Ring,
	&permission.Lamport,
	&permission.RicartAgrawala,
	&permission.RicartAgrawalaReply,
	&permission.RicartAgrawalaTimeout,
	&permission.Maekawa,
	&permission.AgrawalElAbbadi,
	&permission.AgrawalElAbbadiTimeout,
	&token.SuzukiKasami,
	&token.Raymond,
	&token.NeilsenMizuno,
	&token.NaimiTrehel,
	&token.Mueller,
	&batch.RaymondWaiting,
	&batch.SuzukiKasamiWaiting,
	&batch.NaimiTrehelWaiting,
	&alien.V1,
	&alien.V1Piggyback,
	&alien.V2,
	&alien.V2Piggyback,
	&failover.CentralBully,
	&failover.CentralRing,
	&failover.CentralChangRoberts,
	&failover.RingBully,
	&failover.RingRing,
	&failover.RingChangRoberts,
	&failover.CentralRegister,
	&failover.CentralMajority,
	&lease.Register,
}

// Find returns the algorithm with the given name, or an error if there is none.
func Find(name string) (*distributed.Algorithm, error) {
	for _, a := range All {
		if a.Name == name {
			return a, nil
		}
	}
	return nil, fmt.Errorf("no algorithm %q", name)
}
