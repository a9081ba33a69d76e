package tournament

import (
	"shmbench/peterson"
	"shmbench/shm"
)

var kesselsTree = Tournament{
	Name:  "tournament/kessels",
	Title: "Kessels's tournament",
	Source: shm.Source{
		Author: "Joep L. W. Kessels",
		Title:  "Arbitration Without Common Modifiable Variables",
		Venue:  "Acta Informatica 17(2)",
		Year:   1982,
		Page:   "140-141",
	},
	Shape: Minimal(2),
	Node:  peterson.Kessels,
	Flag:  "q",
}

// Kessels returns the specification of Kessels's tree: his two-process lock,
// peterson.KesselsMutex, at each of n-1 nodes, so that only one side of a node writes a bit.
// In the paper a process records the side on which it passed each node, and reads that on its
// way back. On regular registers a node can let two processes in. These two can keep each
// other from the next node, but they cannot keep all processes out forever.
func Kessels(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	a := kesselsTree.Spec(layout, stores)
	a.Claims.Weakest.DeadlockFree = shm.Regular
	return a
}
