package catalog

import (
	"slices"

	"shmbench/shm"
)

// Chosen is an algorithm that is measured by default, and the reason.
type Chosen struct {
	shm.Algorithm
	Why string `json:"why"`
}

// short names the algorithms that are measured by default: the first and the best of each
// idea, in the order of All, so that all of it takes less than three minutes. It leaves out
// variants, and locks that differ from a listed one by a line.
var short = []struct{ name, why string }{
	{"bakery/lamport", "first come, first served with reads and writes only: each process reads all numbers"},
	{"dekker/dekker", "the first published lock for two processes"},
	{"dijkstra/dijkstra", "the first published lock for n processes"},
	{"burns/burnslynch", "the least possible space, one bit for each process"},
	{"fcfs/lycklamahadzilacos", "first come, first served with reads and writes of a few bits a process"},
	{"peterson/peterson", "the best-known two-process lock"},
	{"peterson/filter", "the same idea for n processes, n-1 levels one after another"},
	{"szymanski/flag", "five values for each process, a waiting room, and linear waiting"},
	{"tournament/peterson", "Peterson's lock as the node of a tree: log n levels"},
	{"tournament/yanganderson", "a tree in which each process waits at its own registers"},
	{"fast/lamport", "an uncontended passage has the same few accesses for every n"},
	{"tas/tas", "one bit, and each waiting process writes it"},
	{"tas/ttas", "one bit, and waiting processes only read it"},
	{"tas/backoff", "one bit, and waiting processes pause for longer and longer"},
	{"queue/ticket", "first come, first served with two counters, and all processes wait for one of them"},
	{"queue/anderson", "a queue in an array, with a place for each waiting process"},
	{"queue/mcs", "a queue of the processes' own nodes, linked forward"},
	{"queue/clh", "a queue of nodes, in which each process waits at the node of its predecessor"},
	{"queue/reciprocating", "arriving processes form a stack, and the lock serves a whole stack at a time"},
	{"baseline/mutex", "what a Go program would use"},
	{"baseline/channel", "what a Go program might use"},
	{"baseline/futex", "what a C program would use: a word, and the kernel's queue"},
}

// shortNUMA names the locks for several nodes that are also measured by default on a machine
// with several nodes: the best of each idea.
var shortNUMA = []string{"numa/cbomcs", "numa/cmcsmcs", "numa/cna", "numa/hmcs", "numa/hclh"}

// ShortNUMA returns the locks for several nodes that are measured by default, besides those of
// Short, on a machine with several nodes.
func ShortNUMA() []shm.Algorithm {
	return slices.DeleteFunc(All(), func(a shm.Algorithm) bool { return !slices.Contains(shortNUMA, a.Name) })
}

// ReaderWriter returns the reader-writer locks, without their variants. They are also measured
// by default where some passages only read.
func ReaderWriter() []shm.Algorithm {
	return slices.DeleteFunc(All(), func(a shm.Algorithm) bool {
		return a.VariantOf != "" || !slices.Contains(a.Modes(), shm.Shared)
	})
}

// Short returns the algorithms that are measured by default.
func Short() []Chosen {
	there := map[string]shm.Algorithm{}
	for _, a := range All() {
		there[a.Name] = a
	}
	var all []Chosen
	for _, s := range short {
		if a, ok := there[s.name]; ok {
			all = append(all, Chosen{a, s.why})
		}
	}
	return all
}
