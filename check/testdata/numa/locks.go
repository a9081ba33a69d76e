// Package numa has the locks for several nodes on two, with the processes dealt out in
// turn, in batches of one and of two.
package numa

import (
	"slices"

	"shmbench/locks/numa"
	"shmbench/shm"
)

// All has each lock under its name and its batch.
func All() (all []shm.Algorithm) {
	two := numa.InTurn(2)
	for batch := 1; batch <= 2; batch++ {
		for _, a := range inBatches(two, batch) {
			a.Name += []string{"", "-1", "-2"}[batch]
			all = append(all, a)
		}
	}
	tree := numa.HMCS{Nodes: numa.InTurn(2, 2), Batch: 2}.Spec(shm.Packed, shm.Sequential)
	tree.Name += "-tree"
	// Of three on one node the third finds that a batch of one has been drawn.
	drawn := numa.HTicket{Nodes: numa.InTurn(1), Batch: 1}.Spec(shm.Packed, shm.Sequential)
	drawn.Name += "-drawn"
	return append(append(all, drawn, tree), withoutBatches(two)...)
}

// At has each lock once, with the path of each process in a list.
func At(paths [][]int) []shm.Algorithm {
	nodes := numa.Listed(paths)
	return slices.Concat(inBatches(nodes, 2), withoutBatches(nodes))
}

func inBatches(nodes numa.Nodes, batch int) (all []shm.Algorithm) {
	for _, spec := range []func(shm.Layout, shm.Stores) shm.Algorithm{
		numa.CBOMCS(nodes, batch).Spec,
		numa.CTKTTKT(nodes, batch).Spec,
		numa.CMCSMCS(nodes, batch).Spec,
		numa.HMCS{Nodes: nodes, Batch: batch}.Spec,
		numa.CNA{Nodes: nodes, Batch: batch}.Spec,
		numa.HTicket{Nodes: nodes, Batch: batch}.Spec,
	} {
		all = append(all, spec(shm.Packed, shm.Sequential))
	}
	return all
}

func withoutBatches(nodes numa.Nodes) []shm.Algorithm {
	return []shm.Algorithm{
		numa.HCLH{Nodes: nodes}.Spec(shm.Packed, shm.Sequential),
		numa.HBO{Nodes: nodes}.Spec(shm.Sequential),
	}
}
