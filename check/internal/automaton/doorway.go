package automaton

import (
	"go/token"

	"shmbench/check/graph"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// The marks that tell local states of the entry section apart.
const (
	// PastLoop: the process has come to a loop, in which it may have to wait.
	PastLoop = 1 << iota
	// PastDoorway: the process has left the doorway that is claimed.
	PastDoorway
	// PastPlace: the process has left the line of its place that is claimed.
	PastPlace
)

// lineShift is where a mark has the number of a line. Below it there is room for
// what others add.
const lineShift = 32

// Marks gives the marks of the local states of process pid that can be reached
// with the values that occur.
type Marks func(pid int, reached []int32, seen Seen) map[int32]int64

// Lines tells local states apart also by the label of the line that their
// access is on.
func (l *Learner) Lines(marks Marks) Marks {
	return l.apart(marks, func(st *interp.State) any {
		_, label := l.M.Place(st)
		return label
	})
}

// Accesses tells local states apart also by where in the source their access is, and by
// its operation.
func (l *Learner) Accesses(marks Marks) Marks {
	type access struct {
		at    token.Pos
		label string
		op    interp.Op
	}
	return l.apart(marks, func(st *interp.State) any {
		if st.Access == nil {
			return nil
		}
		at, label := l.M.Place(st)
		return access{at, label, st.Access.Op}
	})
}

// apart tells local states apart by the key of each as well.
func (l *Learner) apart(marks Marks, key func(*interp.State) any) Marks {
	return func(pid int, reached []int32, seen Seen) map[int32]int64 {
		marked, number := marks(pid, reached, seen), map[any]int64{}
		for _, s := range reached {
			of := key(l.Procs[pid].States[s])
			if _, known := number[of]; !known {
				number[of] = int64(len(number))
			}
			marked[s] |= number[of] << lineShift
		}
		return marked
	}
}

// Unlined returns a mark without what Lines or Accesses adds to it.
func Unlined(mark int64) int64 { return mark & (1<<lineShift - 1) }

// Doorways marks where the first loop of the entry section begins, and where the
// doorway of each mode ends. The last line of that doorway has the given label. Doorways
// also marks the place of an exclusive passage, a line within others, unless it is empty.
func (l *Learner) Doorways(place string, labels ...string) Marks {
	return func(pid int, reached []int32, seen Seen) map[int32]int64 {
		d := &doorways{l: l, pid: pid, seen: seen, marks: map[int32]int64{}}
		d.loops(reached)
		for mode, label := range labels {
			if label != "" {
				d.label(reached, shm.Mode(mode), PastDoorway, func(s int32) bool {
					_, at := l.M.Place(l.Procs[pid].States[s])
					return at == label
				})
			}
		}
		if place != "" {
			d.label(reached, shm.Exclusive, PastPlace, func(s int32) bool { return l.M.Labels(l.Procs[pid].States[s]) == place })
		}
		return d.marks
	}
}

type doorways struct {
	l     *Learner
	pid   int
	seen  Seen
	marks map[int32]int64
}

func (d *doorways) entry(s int32) bool {
	return d.l.Procs[d.pid].States[s].Section == interp.Entry
}

// next returns the successors of s for the values that occur.
func (d *doorways) next(s int32) []int32 {
	var to []int32
	for v := range d.seen.Occurring(d.l.Procs[d.pid].Reg[s]) {
		to = append(to, d.l.successors(d.pid, s, v)...)
	}
	return to
}

// loops marks the states of the entry section that lie on a cycle there, and
// what follows them.
func (d *doorways) loops(reached []int32) {
	number := map[int32]uint32{}
	for i, s := range reached {
		number[s] = uint32(i)
	}
	graph.Graph{
		Nodes: len(reached),
		In:    func(i uint32) bool { return d.entry(reached[i]) },
		Edges: func(i uint32, ends []uint32) []uint32 {
			for _, s := range d.next(reached[i]) {
				if d.entry(s) {
					ends = append(ends, number[s])
				}
			}
			return ends
		},
	}.OnCycles(func(i uint32) { d.mark(reached[i], PastLoop) })
}

// mark marks a state of the entry section and all that follow it there.
func (d *doorways) mark(s int32, bit int64) {
	if !d.entry(s) || d.marks[s]&bit != 0 {
		return
	}
	d.marks[s] |= bit
	for _, t := range d.next(s) {
		d.mark(t, bit)
	}
}

// label marks the states of a mode that follow an access on a line, which on tells,
// and are not on that line.
func (d *doorways) label(reached []int32, mode shm.Mode, bit int64, on func(s int32) bool) {
	for _, s := range reached {
		st := d.l.Procs[d.pid].States[s]
		if st.Section != interp.Entry && st.Section != interp.Remainder || st.Mode != mode || !on(s) {
			continue
		}
		for _, t := range d.next(s) {
			if !on(t) {
				d.mark(t, bit)
			}
		}
	}
}

// Stacks tells local states apart only by their next access and the calls that led to it.
func (l *Learner) Stacks() Marks {
	unmarked := func(int, []int32, Seen) map[int32]int64 { return map[int32]int64{} }
	return l.apart(unmarked, func(st *interp.State) any { return l.M.Stack(st) })
}
