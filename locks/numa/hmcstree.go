package numa

import "slices"

// hmcsTree is the tree of an HMCS lock for n processes.
type hmcsTree struct {
	n    int
	way  [][]hmcsStep // by process
	size []int        // by group, the root first: how many can be in its queue
}

// tree makes the tree. Its root is the innermost group that contains all processes. Processes
// have the queue nodes 1 to n, and the groups other than the root have those from n+1 on.
func (h HMCS) tree(n int) *hmcsTree {
	t := &hmcsTree{n: n, size: []int{0}}
	known := [][]int{nil} // by group: its path from the root
	common := h.common(n)
	for i := range n {
		path := h.Nodes(i)[common:]
		way := make([]hmcsStep, len(path)+1)
		for level := range len(way) {
			x := slices.IndexFunc(known, func(other []int) bool { return slices.Equal(other, path[:level]) })
			if x < 0 {
				x = len(known)
				known, t.size = append(known, path[:level]), append(t.size, 0)
				t.size[way[len(path)-level+1].x]++ // the group around it
			}
			way[len(path)-level].x = x
			if level > 0 {
				way[len(path)-level+1].I = uint32(n + x)
			}
		}
		way[0].I = uint32(i + 1)
		t.size[way[0].x]++
		t.way = append(t.way, way)
	}
	return t
}

// common is the number of levels on which the paths of all n processes agree from the start.
func (h HMCS) common(n int) int {
	first := h.Nodes(0)
	common := len(first)
	for i := range n {
		path := h.Nodes(i)
		for level := range common {
			if path[level] != first[level] {
				common = level
				break
			}
		}
	}
	return common
}

func (t *hmcsTree) groups() int { return len(t.size) }

// queued is the number of queue nodes.
func (t *hmcsTree) queued() int { return t.n + len(t.size) - 1 }

// most is the number of values of the tail of the largest queue.
func (t *hmcsTree) most() int { return slices.Max(t.size) + 1 }

// counts is the number of values of a status.
func (t *hmcsTree) counts(batch int) int {
	if slices.Max(append(t.size[1:], 0)) > 1 {
		return batch + 2
	}
	return 2
}
