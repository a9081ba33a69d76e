// Package trees has a tree of each shape for every two-process lock of the
// catalogue.
package trees

import (
	"shmbench/catalog"
	"shmbench/shm"
	"shmbench/tournament"
)

// All returns the cards of the trees: for each lock in its default layout, and for
// its released form, the complete tree and the minimal one.
func All() []shm.Algorithm {
	var all []shm.Algorithm
	for _, node := range catalog.All() {
		if node.MaxProcs != 2 || node.VariantOf != "" && node.Stores == shm.Sequential {
			continue
		}
		trees := tournament.Tournament{
			Name:  "complete/" + node.Name,
			Title: node.Title,
			Node:  func(shm.Layout, shm.Stores) shm.Algorithm { return node },
			Shape: tournament.Complete(2),
		}
		all = append(all, trees.Card(node.Layout, node.Stores))
		trees.Name, trees.Shape = "minimal/"+node.Name, tournament.Minimal(2)
		all = append(all, trees.Card(node.Layout, node.Stores))
	}
	return all
}
