package tournament

import (
	"fmt"

	"shmbench/locks/burns"
)

// ZhangDary is Zhang, Yan and Castañeda's tree of d places at a node. Each node is Lamport's
// one-bit lock, burns.OneBitMutex. The paper has it on page 37, in figure 14. ZhangdT.c
// (github.com/pabuhr/concurrent-locking) is a program for it, which does not read places that
// no process can take.
//
// Like the lock at its nodes, it is only deadlock-free: a process that is not the first of its
// node can starve.
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
