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
	{"bakery/lamport", "first come, first served with reads and writes only: everybody looks at everybody's number"},
	{"dekker/dekker", "the first lock of all, for two processes"},
	{"dijkstra/dijkstra", "the first for n processes"},
	{"burns/burnslynch", "the least space that there can be, a bit for each process"},
	{"fcfs/lycklamahadzilacos", "first come, first served with reads and writes of a few bits a process"},
	{"peterson/peterson", "the two-process lock that everybody knows"},
	{"peterson/filter", "the same idea for n processes, n-1 levels one after another"},
	{"szymanski/flag", "five values for each process, a waiting room, and linear waiting"},
	{"tournament/peterson", "Peterson's lock as the node of a tree: log n levels"},
	{"tournament/yanganderson", "a tree in which each waits at registers of its own"},
	{"fast/lamport", "the same few accesses for whoever is alone, whatever n"},
	{"tas/tas", "one bit, and every waiter writes it"},
	{"tas/ttas", "one bit, and waiters only look"},
	{"tas/backoff", "one bit, and waiters stay away for longer and longer"},
	{"queue/ticket", "first come, first served with two counters, and all wait for one of them"},
	{"queue/anderson", "a queue in an array, each waiter at a place of its own"},
	{"queue/mcs", "a queue of the waiters' own nodes, linked forwards"},
	{"queue/clh", "a queue of nodes, each waiter at that of the one before it"},
	{"queue/reciprocating", "a stack of those that arrive, served at a time, with one word and a gate for each"},
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
