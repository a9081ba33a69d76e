package topo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shmbench/internal/machine/affinity"
)

// Level is a level of a machine: so many of a name in each of the level around it.
type Level struct {
	Name  string
	Count int
}

// Levels is the topology of a machine, from the outside in:
// sockets=1,dies=4,complexes=2,cores=4,threads=2.
type Levels []Level

// mostProcessors is more than any machine has.
const mostProcessors = 1 << 16

// ParseLevels reads a topology as it is given by hand.
func ParseLevels(s string) (Levels, error) {
	var all Levels
	processors := 1
	for part := range strings.SplitSeq(s, ",") {
		name, number, ok := strings.Cut(part, "=")
		count, err := strconv.Atoi(number)
		if !ok || name == "" || err != nil || count < 1 {
			return nil, fmt.Errorf("%q is not a level, which is written as in sockets=2,cores=4,threads=2, from the outside in", part)
		}
		if slices.ContainsFunc(all, func(l Level) bool { return l.Name == name }) {
			return nil, fmt.Errorf("there are two levels called %s", name)
		}
		if processors *= count; processors > mostProcessors {
			return nil, fmt.Errorf("there are more than %d processors", mostProcessors)
		}
		all = append(all, Level{name, count})
	}
	return all, nil
}

// String writes the topology as ParseLevels reads it.
func (l Levels) String() string {
	parts := make([]string, len(l))
	for i, level := range l {
		parts[i] = fmt.Sprintf("%s=%d", level.Name, level.Count)
	}
	return strings.Join(parts, ",")
}

// groups returns how many groups of processors each level has in the one around it:
// the levels outside the cores, or else outside the innermost, that divide anything.
func (l Levels) groups() (counts []int) {
	end := slices.IndexFunc(l, func(level Level) bool { return level.Name == "cores" || level.Name == "threads" })
	if end < 0 {
		end = len(l) - 1
	}
	for _, level := range l[:end] {
		if level.Count > 1 {
			counts = append(counts, level.Count)
		}
	}
	return counts
}

// Path returns in which groups process i is, from the outside in. The processes are on
// the cores in their order, those of one group first, and then on the second threads; or,
// by thread, on all threads of a core before the next core.
func (l Levels) Path(i int, o affinity.Order) []int {
	counts := l.groups()
	inner := 1 // cores in an innermost group
	for _, level := range l {
		if level.Name != "threads" {
			inner *= level.Count
		} else if o == affinity.ByThread {
			i /= level.Count
		}
	}
	path := make([]int, len(counts))
	for _, count := range counts {
		inner /= count
	}
	at := i / inner
	for level := len(counts) - 1; level >= 0; level-- {
		path[level] = at % counts[level]
		at /= counts[level]
	}
	return path
}

// Places returns the path of process i, where processes fill the processors in an order.
// The topology is the word "machine" for this machine, or levels as ParseLevels reads
// them.
func Places(topology string, o affinity.Order) (path func(i int) []int, err error) {
	if topology == "machine" {
		return Machine(o), nil
	}
	levels, err := ParseLevels(topology)
	if err != nil {
		return nil, err
	}
	return func(i int) []int { return levels.Path(i, o) }, nil
}

// Machine returns the path of process i in this machine, if the processes are on its
// processors in an order: its package, if there are several, and its node of memory
// there, if there are several. It is empty where the platform does not tell.
func Machine(o affinity.Order) (path func(i int) []int) {
	places, err := affinity.Places(o)
	if err != nil || len(places) == 0 {
		return func(int) []int { return nil }
	}
	packages, nodes := map[int]bool{}, map[int]bool{}
	for _, p := range places {
		packages[p.Package], nodes[memoryNode(p.CPU)] = true, true
	}
	return func(i int) (path []int) {
		p := places[i%len(places)]
		if len(packages) > 1 {
			path = append(path, p.Package)
		}
		if len(nodes) > len(packages) {
			path = append(path, memoryNode(p.CPU))
		}
		return path
	}
}
