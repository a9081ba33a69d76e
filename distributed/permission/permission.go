// Package permission has the mutual exclusion algorithms in which a node
// enters when the others, a quorum of them or a coordinator permit it.
package permission

import "shmbench/distributed"

// before orders requests by timestamp, ties by node.
func before(stamp int64, node distributed.ID, stamp2 int64, node2 distributed.ID) bool {
	return stamp < stamp2 || stamp == stamp2 && node < node2
}

// even is the busiest node's share of the messages, sent and taken, if all nodes have the
// same share, give or take a tenth.
func even(c distributed.Config) (least, most float64) {
	return 2 / float64(c.Nodes), 2.2 / float64(c.Nodes)
}

// exactly is a cost with one value.
func exactly(messages int) (least, most float64) { return float64(messages), float64(messages) }
