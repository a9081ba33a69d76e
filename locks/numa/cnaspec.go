package numa

import (
	"fmt"

	"shmbench/locks/queue"
	"shmbench/shm"
)

var compact = shm.Source{
	Author: "Dave Dice and Alex Kogan",
	Title:  "Compact NUMA-Aware Locks",
	Venue:  "EuroSys",
	Year:   2019,
	Page:   "article 12",
}

// CNA makes the compact lock for processes on some nodes. While others wait, at most Batch
// processes of one node enter in a row; Batch is at least 1.
type CNA struct {
	Nodes Nodes
	Batch int
}

// Spec returns the specification of the lock for a layout of its queue nodes and for its
// stores.
func (c CNA) Spec(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return c.Nodes.orPlain(c.spec(layout, stores), queue.MCS)
}

func (c CNA) spec(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	mcs := c.Batch == 1 // it is MCS then
	return shm.Algorithm{
		Name:          "numa/cna",
		Title:         "CNA, compact NUMA-aware lock",
		Source:        compact,
		Reconstructed: true,
		Class:         shm.Swap | shm.CompareAndSwap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         c.bypass(),
			FCFS:           mcs,
			Doorway:        "3",
			LocalSpin:      shm.LocalSpin{CC: true, DSM: mcs},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "next", Count: shm.N, Values: shm.N},
			{Name: "spin", Count: shm.N, Values: c.formula("2 + n - size", (*skips).spins)},
			{Name: "secTail", Count: c.formula("firsts", (*skips).firsts), Values: c.formula("1 + lasts", (*skips).lasts)},
			{Name: "kept", Count: shm.Const(1), Values: c.formula(fmt.Sprint(c.Batch), (*skips).counts)},
		},
	}.Built(layout, stores, c.build)
}

// skips says which processes can skip which: a process on a node with several processes can
// skip those on other nodes.
type skips struct {
	batch int
	place []place
	size  []int // of the nodes from which others are skipped, 0 for the others
}

func (c CNA) formula(text string, value func(s *skips) int) shm.Formula {
	return shm.Formula{Text: text, At: func(n int) int {
		s := &skips{batch: c.Batch}
		s.place, s.size = c.Nodes.places(n)
		for node, size := range s.size {
			if size < 2 || c.Batch < 2 {
				s.size[node] = 0
			}
		}
		return value(s)
	}}
}

// bypass counts every other process once, and the processes that enter while the second queue
// waits. Each node with two processes or more causes batch - 1 of these.
func (c CNA) bypass() shm.Formula {
	return c.formula(fmt.Sprintf("n-1 + %d * (nodes-1)", c.Batch-1), func(s *skips) (most int) {
		for _, passed := range s.place {
			sum := len(s.place) - 1
			for node := range s.size {
				if s.from(node, passed) {
					sum += s.batch - 1
				}
			}
			most = max(most, sum)
		}
		return most
	})
}

// from reports whether processes of a node can skip a process.
func (s *skips) from(node int, p place) bool { return s.size[node] > 0 && p.node != node }

// spins is the number of values of spin: 0, 1, and each possible first node of a second queue.
func (s *skips) spins() int {
	most := 2
	for _, size := range s.size {
		if size > 0 {
			most = max(most, 2+len(s.place)-size)
		}
	}
	return most
}

// behind is the number of processes that can be last in a second queue whose first process is
// on a node.
func (s *skips) behind(first int) (count int) {
	for _, last := range s.place {
		for node := range s.size {
			if s.from(node, place{node: first}) && s.from(node, last) {
				count++
				break
			}
		}
	}
	return count
}

// firsts is the number of processes that can be first in a second queue.
func (s *skips) firsts() (count int) {
	leads := make([]bool, len(s.size))
	for node := range s.size {
		leads[node] = s.behind(node) > 0
	}
	for _, p := range s.place {
		if leads[p.node] {
			count++
		}
	}
	return count
}

// lasts is the number of values of secTail.
func (s *skips) lasts() (most int) {
	for node := range s.size {
		most = max(most, s.behind(node))
	}
	return most + 1
}

// counts is how many values kept takes.
func (s *skips) counts() int {
	for _, size := range s.size {
		if size > 0 {
			return s.batch
		}
	}
	return 1
}
