// Package catalog lists every message-passing mutual exclusion algorithm.
package catalog

import (
	"fmt"
	"strings"

	"shmbench/distributed"
	"shmbench/distributed/alien"
	"shmbench/distributed/failover"
	"shmbench/distributed/permission"
	"shmbench/distributed/token"
)

// All is the explicit list, in the order in which tables show it.
var All = []*distributed.Algorithm{
	&permission.Central,
	&token.Ring,
	&permission.Lamport,
	&permission.RicartAgrawala,
	&permission.Maekawa,
	&token.SuzukiKasami,
	&token.Raymond,
	&token.NaimiTrehel,
	&token.Mueller,
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
}

// Find returns the algorithm of the given name, or an error that lists the
// names there are.
func Find(name string) (*distributed.Algorithm, error) {
	for _, a := range All {
		if a.Name == name {
			return a, nil
		}
	}
	return nil, fmt.Errorf("no algorithm %q; there are %s", name, strings.Join(Names(), ", "))
}

// Names returns the names in the list's order.
func Names() []string {
	names := make([]string, len(All))
	for i, a := range All {
		names[i] = a.Name
	}
	return names
}
