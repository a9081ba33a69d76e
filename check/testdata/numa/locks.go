// Package numa has the locks for several nodes on two, with the processes dealt out in
// turn, in batches of one and of two.
package numa

import (
	"shmbench/numa"
	"shmbench/shm"
)

// All has each lock under its name and its batch.
func All() (all []shm.Algorithm) {
	two := numa.InTurn(2)
	for batch := 1; batch <= 2; batch++ {
		for _, card := range []func(shm.Layout, shm.Stores) shm.Algorithm{
			numa.CBOMCS(two, batch).Card,
			numa.CTKTTKT(two, batch).Card,
			numa.CMCSMCS(two, batch).Card,
			numa.HMCS{Nodes: two, Batch: batch}.Card,
			numa.CNA{Nodes: two, Batch: batch}.Card,
		} {
			a := card(shm.Packed, shm.Sequential)
			a.Name += []string{"", "-1", "-2"}[batch]
			all = append(all, a)
		}
	}
	tree := numa.HMCS{Nodes: numa.InTurn(2, 2), Batch: 2}.Card(shm.Packed, shm.Sequential)
	tree.Name += "-tree"
	return append(all, tree,
		numa.HCLH{Nodes: two}.Card(shm.Packed, shm.Sequential),
		numa.HBO{Nodes: two}.Card(shm.Sequential))
}
