package automaton

import "shmbench/check/internal/interp"

// The marks that tell local states of the entry section apart.
const (
	// PastWaitFree: the process has come to where it may have to wait.
	PastWaitFree = 1 << iota
	// PastDoorway: the process has left the doorway that is claimed.
	PastDoorway
)

// Marks gives the marks of the local states of process pid that can be reached
// with the values that occur.
type Marks func(pid int, reached []int32, seen Seen) map[int32]int

// Doorways marks where the longest wait-free beginning of the entry section
// ends, and where a doorway ends whose last line has the given label.
func (l *Learner) Doorways(label string) Marks {
	return func(pid int, reached []int32, seen Seen) map[int32]int {
		d := &doorways{l: l, pid: pid, seen: seen, index: map[int32]int{}, low: map[int32]int{}, marks: map[int32]int{}}
		for _, s := range reached {
			if d.entry(s) && d.index[s] == 0 {
				d.visit(s)
			}
		}
		if label != "" {
			d.label(reached, label)
		}
		return d.marks
	}
}

type doorways struct {
	l     *Learner
	pid   int
	seen  Seen
	index map[int32]int
	low   map[int32]int
	stack []int32
	marks map[int32]int
}

func (d *doorways) entry(s int32) bool {
	return d.l.Procs[d.pid].States[s].Section == interp.Entry
}

// next returns the successors of s for the values that occur.
func (d *doorways) next(s int32) []int32 {
	p := d.l.Procs[d.pid]
	var to []int32
	r := p.Reg[s]
	if r < 0 || int(r) >= len(d.seen) {
		return nil
	}
	for v, occurs := range d.seen[r] {
		if occurs {
			to = append(to, p.moves[s][v].State)
		}
	}
	return to
}

// visit finds the cycles among the states of the entry section (Tarjan).
func (d *doorways) visit(s int32) {
	d.index[s] = len(d.index) + 1
	d.low[s] = d.index[s]
	d.stack = append(d.stack, s)
	cyclic := false
	for _, t := range d.next(s) {
		switch {
		case !d.entry(t):
		case t == s:
			cyclic = true
		case d.index[t] == 0:
			d.visit(t)
			if d.low[t] > 0 {
				d.low[s] = min(d.low[s], d.low[t])
			}
		case d.low[t] > 0: // on the stack
			d.low[s] = min(d.low[s], d.index[t])
		}
	}
	if d.low[s] != d.index[s] {
		return
	}
	at := len(d.stack) - 1
	for d.stack[at] != s {
		at--
	}
	comp := append([]int32(nil), d.stack[at:]...)
	d.stack = d.stack[:at]
	for _, t := range comp {
		d.low[t] = -1
		if cyclic || len(comp) > 1 {
			d.mark(t, PastWaitFree)
		}
	}
}

// mark marks a state of the entry section and all that follow it there.
func (d *doorways) mark(s int32, bit int) {
	if !d.entry(s) || d.marks[s]&bit != 0 {
		return
	}
	d.marks[s] |= bit
	for _, t := range d.next(s) {
		d.mark(t, bit)
	}
}

// label marks the states that follow an access on the doorway's last line and
// are not on that line.
func (d *doorways) label(reached []int32, label string) {
	on := func(s int32) bool {
		_, l := d.l.M.Place(d.l.Procs[d.pid].States[s])
		return l == label
	}
	for _, s := range reached {
		section := d.l.Procs[d.pid].States[s].Section
		if section != interp.Entry && section != interp.Remainder || !on(s) {
			continue
		}
		for _, t := range d.next(s) {
			if !on(t) {
				d.mark(t, PastDoorway)
			}
		}
	}
}
