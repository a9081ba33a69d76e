package alien

import "shmbench/distributed"

const source = "Federico Meza, Jorge Pérez, Yadran Eterovic, Implementing Distributed Mutual Exclusion on Multithreaded Environments: The Alien-Threads Approach, "

// The specifications of the algorithms whose claims hold.
var (
	V1          = spec("alien-v1", "Alien threads, the original", "section 2.3", rules{})
	V1Piggyback = spec("alien-v1-pb", "Alien threads, the original, with piggybacking", "section 2.3", rules{piggyback: true})
	V2          = spec("alien-v2", "Alien threads, the variant", "section 2.4", rules{variant: true})
	V2Piggyback = spec("alien-v2-pb", "Alien threads, the variant, with piggybacking", "section 2.4", rules{variant: true, piggyback: true})
)

// The algorithms as printed, which do not.
var (
	V1AsPrinted          = spec("alien-v1-printed", "Alien threads, the original as printed", "section 2.3", rules{asPrinted: true})
	V2AsPrinted          = spec("alien-v2-printed", "Alien threads, the variant as printed", "section 2.4", rules{variant: true, asPrinted: true})
	V1PiggybackAsPrinted = spec("alien-v1-pb-printed", "Alien threads, the original as printed, with piggybacking", "section 2.3", rules{asPrinted: true, piggyback: true})
	V2PiggybackAsPrinted = spec("alien-v2-pb-printed", "Alien threads, the variant as printed, with piggybacking", "section 2.4", rules{variant: true, asPrinted: true, piggyback: true})
)

func spec(name, title, section string, r rules) distributed.Algorithm {
	return distributed.Algorithm{
		Name: name, Title: title, Source: source + section, Family: distributed.TokenBased,
		Claims: distributed.Claims{FIFO: r.variant || r.asPrinted, DeadlockFree: true, StarvationFree: true},
		Cost:   distributed.Cost{Messages: "O(depth of the tree); below 1 with many threads under load", SyncDelay: "0 to the depth of the tree", Sync: func(c distributed.Config) (float64, float64) { return 0, float64(distributed.Diameter(c.Tree())) }},
		Invariants: []distributed.Invariant{
			distributed.OneToken(source+"section 3", func(v *distributed.View, i distributed.ID) bool {
				return probOwner(v, i) == i
			}),
			distributed.WayToToken(source+"section 3", probOwner),
		},
		Tree:  true,
		Forms: distributed.Plain(distributed.Signal, distributed.Token),
		New:   r.new,
	}
}

func probOwner(v *distributed.View, i distributed.ID) distributed.ID {
	return distributed.NodeOf[*node](v, i).probOwner
}
