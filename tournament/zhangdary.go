package tournament

import (
	"fmt"

	"shmbench/burns"
)

// ZhangDary is Zhang, Yan and Castañeda's tree of d places a node: at each node is
// Lamport's lock of one bit a place, burns.OneBitMutex. The paper has it on page 37, in
// figure 14, and ZhangdT.c (github.com/pabuhr/concurrent-locking) as a program, which
// does not look at places that no process can come to.
//
// Like the lock at its nodes it is free from deadlock and no more: a process that is not the
// first of its node can starve.
func ZhangDary(d int) Tournament {
	return Tournament{
		Name:   "tournament/zhangdary",
		Title:  fmt.Sprintf("Zhang, Yan and Castañeda's d-ary tree, d = %d", d),
		Source: zhang,
		Shape:  Complete(d),
		Node:   burns.OneBit,
		Flag:   "x",
	}
}
