package tournament

import (
	"shmbench/peterson"
	"shmbench/shm"
)

var tsayTree = Tournament{
	Name:  "tournament/tsay",
	Title: "Tournament of Tsay's two-process locks",
	Source: shm.Source{
		Author: "Yih-Kuen Tsay",
		Title:  "Deriving a Scalable Algorithm for Mutual Exclusion",
		Venue:  "Distributed Computing (DISC), LNCS 1499",
		Year:   1998,
		Page:   "393-407",
	},
	Shape: Minimal(2),
	Node:  peterson.Tsay,
	Flag:  "want",
}

// Tsay returns the specification of the tournament of Tsay's two-process lock,
// peterson.TsayMutex.
func Tsay(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return tsayTree.Spec(layout, stores)
}
