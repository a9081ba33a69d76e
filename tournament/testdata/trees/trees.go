// Package trees has a tree of each shape for every two-process lock of the
// catalog, and trees of more than two places a node.
package trees

import (
	"shmbench/catalog"
	"shmbench/locks/burns"
	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/tournament"
)

// All returns the specifications of the trees: for each lock in its default layout the minimal
// tree and the complete one, and for its released form the minimal one.
func All() []shm.Algorithm {
	var all []shm.Algorithm
	for _, node := range catalog.All() {
		if node.MaxProcs != 2 || node.VariantOf != "" && node.Stores == shm.Sequential {
			continue
		}
		if node.Name[:len("abort/")] == "abort/" {
			continue // their trees have more states than fit a test
		}
		if node.Claims.Recovery != nil {
			continue // recoverable/rptree is their tree
		}
		trees := tournament.Tournament{
			Name:  "minimal/" + node.Name,
			Title: node.Title,
			Node:  func(shm.Layout, shm.Stores) shm.Algorithm { return node },
			Shape: tournament.Minimal(2),
		}
		all = append(all, trees.Spec(node.Layout, node.Stores))
		// Where a node of the complete tree has one process, not all registers of
		// Anderson's lock are used; the specification counts all.
		if node.Stores == shm.Sequential && node.Name != "peterson/anderson" {
			trees.Name, trees.Shape = "complete/"+node.Name, tournament.Complete(2)
			all = append(all, trees.Spec(node.Layout, node.Stores))
		}
	}
	return all
}

// Wide returns the specifications of trees of three places a node.
func Wide() []shm.Algorithm {
	filters := tournament.Tournament{Name: "minimal/filter", Node: peterson.Filter, Shape: tournament.Minimal(3)}
	bits := tournament.Tournament{Name: "minimal/burnslynch", Node: burns.BurnsLynch, Shape: tournament.Minimal(3), Flag: "flag"}
	return []shm.Algorithm{
		tournament.ZhangDary(3).Spec(shm.Packed, shm.Sequential),
		bits.Spec(shm.Packed, shm.Sequential),
		filters.Spec(shm.Packed, shm.Sequential),
	}
}
