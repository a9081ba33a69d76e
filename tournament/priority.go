package tournament

import (
	"shmbench/peterson"
	"shmbench/shm"
)

var priorityTree = Tournament{
	Name:  "tournament/priority",
	Title: "Tournament of two-process locks with priority",
	Source: shm.Source{
		Author: "after Gary L. Peterson",
		Title:  "Algorithms for Concurrent Distributed Systems: The Mutual Exclusion Problem",
		Venue:  "lecture notes",
		Year:   1981,
	},
	Shape: Complete(2),
	Node:  peterson.Priority,
	Flag:  "want",
}

// Priority returns the specification of the tournament tree of the lecture notes: the
// two-process lock with priority, peterson.PriorityMutex, at every node.
func Priority(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return priorityTree.Spec(layout, stores)
}
