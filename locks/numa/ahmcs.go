package numa

import (
	"errors"

	"shmbench/locks/queue"
	"shmbench/shm"
)

// AHMCS makes the adaptive HMCS lock of two levels. At most Batch processes of a node in a row
// hand over the root's queue; Batch is at least 1.
type AHMCS struct {
	Nodes Nodes
	Batch int
}

// hmcs is the lock whose queues the adaptive lock uses: of the nodes, and of the root.
func (h AHMCS) hmcs() HMCS {
	if h.Nodes.one() {
		return HMCS(h)
	}
	return HMCS{Batch: h.Batch, Nodes: func(process int) []int { return h.Nodes(process)[:1] }}
}

// AdaptiveBatch is the Batch of the lock of the catalog. With Batch the check of three
// processes has 7.5 million states.
const AdaptiveBatch = 2

// Spec returns the specification of the lock for a layout of its queue nodes.
func (h AHMCS) Spec(layout shm.Layout) shm.Algorithm {
	inner := h.hmcs()
	return h.Nodes.orPlain(shm.Algorithm{
		Name:  "numa/ahmcs",
		Title: "AHMCS, adaptive HMCS lock",
		Source: shm.Source{
			Author: "Milind Chabbi and John Mellor-Crummey",
			Title:  "Contention-Conscious, Locality-Preserving Locks",
			Venue:  "21st ACM SIGPLAN Symposium on Principles and Practice of Parallel Programming (PPoPP)",
			Year:   2016,
		},
		Class:    shm.Swap | shm.CompareAndSwap,
		Explored: shm.Explored{Procs: 2},
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         h.bypass(),
			LocalSpin:      shm.LocalSpin{CC: true},
		},
		Space: h.space(),
	}.Built(layout, shm.Sequential, func(b shm.Build) shm.Mutex {
		return &AHMCSMutex{HMCSMutex: inner.build(b), private: shm.NewArray[ahmcsPrivate](b.N, shm.Padded)}
	}), queue.MCS)
}

func (h AHMCS) bypass() shm.Formula {
	return shm.Formula{Text: "n-1 for n<=2 or on one node, else unbounded", At: func(n int) int {
		if n <= 2 || h.hmcs().tree(n).groups() == 1 {
			return n - 1
		}
		return shm.Unbounded
	}}
}

// space is that of HMCS. A queue node of a process can be in the root's queue too.
func (h AHMCS) space() shm.Space {
	space := h.hmcs().space()
	space[0].Values = shm.Formula{Text: "n + groups", At: func(n int) int { return n + h.hmcs().tree(n).groups() }}
	space[1].Values = shm.Formula{Text: "n + groups - 1, or 1 less if each process is alone in its group", At: func(n int) int {
		t := h.hmcs().tree(n)
		if t.groups() > 1 && t.counts(h.Batch) == 2 {
			return n + t.groups() - 2
		}
		return n + t.groups() - 1
	}}
	return space
}

// AHMCSMutex is the adaptive HMCS lock: a process that met no other process of its node goes
// to the root's queue at once. It comes back to the queue of its node when it met some.
//
// Source: Milind Chabbi and John Mellor-Crummey, "Contention-Conscious, Locality-Preserving
// Locks", PPoPP 2016. Written after src/hyshmcs.c of github.com/multicore-locks/litl, commit
// 065876e, which has two levels and names listing A.2 of Chabbi's thesis (Rice University,
// 2015).
//
// Registers: those of HMCS. Process i uses its queue node in the queue of its group in one
// passage and in the root's in another.
//
// Properties: mutual exclusion and freedom from starvation are those of HMCS: whichever queue a
// process enters first, it has the root's queue in its critical section. It holds this queue
// itself, or has it from a process of its group, at most batch times in a row. Lines 1 to 3
// decide where it begins. They are hints and may read anything. Waiting processes read their own
// queue node only. A process can be passed any number of times before it is in the root's queue.
//
// The check explores two processes by default. Three have 4.7 million states, in which the
// specification holds too.
//
// There is no doorway.
//
//	entry section of process i, whose queue node is I and whose group is c:
//	1  x := c if depth = leaf, else the root; t := tail[x]
//	2  if t = nil then if the root's tail = nil then fast := true, x := the root
//	3  else if depth = root then if I.next is neither nil nor t then x := c
//	4  if x = c then enter the queue of c with I; if it passes the root on then waited := leaf, enter
//	5      waited := root; I.status := 1; enter the root's queue with the queue node of c
//	6  else waited := root; enter the root's queue with I
//	exit section of process i:
//	7  if x = c then passed := leaf if I.status = batch, else root
//	8      if I.status < batch and I.next is not nil then I.next.status := I.status + 1, passed := leaf
//	9      else leave the root's queue; leave the queue of c
//	10 else passed := root; leave the root's queue with I
//	11 if fast then fast := false, return
//	12 depth := root if waited = passed = root, else leaf
//
// To enter and to leave a queue are lines 1 to 7 and 14 to 16 of HMCS.
//
// Deviations: the paper has any number of levels, and this lock has the outermost two of the
// machine. There is no variant with release stores. On a machine of one node the lock of the
// catalog is MCS. Pointers are numbers.
type AHMCSMutex struct {
	*HMCSMutex
	private shm.Array[ahmcsPrivate] // private[i] is used by process i only
}

// ahmcsPrivate is what a process remembers. The zero value begins at the leaf.
type ahmcsPrivate struct {
	rooted bool // depth is root
	fast   bool
	atRoot bool // x is the root
	waited bool // at the leaf
}

// New returns the lock for n processes, or a *shm.ProcsError.
func (h AHMCS) New(n int, layout shm.Layout) (*AHMCSMutex, error) {
	if h.Nodes.one() {
		return nil, errors.New("numa/ahmcs: the machine has one node: expected two or more")
	}
	return shm.New[*AHMCSMutex](h.Spec(layout), n)
}

// root returns the root's queue for the queue node of the process.
func (l *AHMCSMutex) root(i int) hmcsPlace {
	way := l.way[i]
	return hmcsPlace{tail: way[len(way)-1].tail, node: way[0].node, I: way[0].I}
}

// Lock acquires the lock for process i.
func (l *AHMCSMutex) Lock(i int) {
	p, way, root := l.private.At(i), l.way[i], l.root(i)
	if l.choose(p, way, root); p.atRoot {
		p.waited = false
		l.enter(root) // 6
		return
	}
	p.waited = l.enter(way[0]) // 4
	if !p.waited {
		way[0].node.status.StoreReleaseIf(l.released, 1) // 5
		l.enter(way[1])                                  // 5
	}
}

// choose is lines 1 to 3.
func (l *AHMCSMutex) choose(p *ahmcsPrivate, way []hmcsPlace, root hmcsPlace) {
	p.atRoot = p.rooted || len(way) == 1
	at := way[0]
	if p.atRoot {
		at = root
	}
	t := at.tail.Load() // 1
	if t == none {
		if root.tail.Load() == none { // 2
			p.fast, p.atRoot = true, true
		}
		return
	}
	if p.rooted && len(way) > 1 {
		if next := root.node.next.Load(); next != none && next != t { // 3
			p.atRoot = false
		}
	}
}

// Unlock releases the lock for process i.
func (l *AHMCSMutex) Unlock(i int) {
	p, way := l.private.At(i), l.way[i]
	passed := false
	if p.atRoot {
		l.leave(l.root(i), 1) // 10
	} else {
		passed = way[0].node.status.Load() >= l.batch // 7
		if l.pass(way[0].node) {                      // 8
			passed = true
		} else {
			l.leave(way[1], 1)          // 9
			l.leave(way[0], hmcsParent) // 9
		}
	}
	if p.fast {
		p.fast = false // 11
		return
	}
	p.rooted = !p.waited && !passed // 12
}
