package play

import (
	"math/bits"
	"slices"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/execution"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// machine makes a lock that was explored and completed into a document. It also returns the local
// states past the doorway, by process.
func machine(x *explored.Lock, memory string) (m *Machine, pastDoorway [][]bool) {
	e := &exporter{x: x, m: x.Learned.Model, places: map[Place]int32{}}
	e.out = &Machine{Memory: memory, Passages: x.Learned.Passages, Registers: []Register{}, Places: []Place{}}
	if x.Exhausted() {
		e.out.States = x.Graph.States
	}
	if b, ok := x.Memory.(execution.Buffered); ok {
		e.out.Capacity = b.Sys.Capacity()
		e.buffered = b.Sys.Buffers
	}
	var cuts []bool
	var weak []bool
	if w, ok := x.Memory.(execution.NotAtomic); ok {
		weak, cuts = e.m.Weak(), w.Sys.Cuts()
	}
	for r, reg := range e.m.Regs {
		of := Register{Name: x.Names.Cell(reg.At), Values: []string{}}
		if reg.At == (interp.Ptr{}) {
			of.Name = ""
		}
		for _, v := range reg.Values {
			of.Values = append(of.Values, x.Names.Value(reg.At, v))
		}
		of.Weak, of.Cut = r < len(weak) && weak[r], r < len(cuts) && cuts[r]
		e.out.Registers = append(e.out.Registers, of)
	}
	doorway := e.doorways()
	for pid, p := range e.m.Procs {
		process := Process{Init: p.Init}
		for s := range p.Local {
			state := e.state(pid, int32(s))
			if doorway != nil && doorway[pid][s] {
				state.Flags |= PastDoorway
			}
			process.States = append(process.States, state)
		}
		e.out.Processes = append(e.out.Processes, process)
	}
	e.out.Heap = heap(e.m.Heap)
	return e.out, doorway
}

type exporter struct {
	x        *explored.Lock
	m        *automaton.Model
	out      *Machine
	places   map[Place]int32
	buffered func(pid int, local int32) bool
}

// doorways tells which local states are past the doorway, if every state was visited.
func (e *exporter) doorways() [][]bool {
	x := e.x
	if x.Space == nil || !x.Exhausted() {
		return nil
	}
	past, _ := x.Doorways(shm.Exclusive)
	for pid, p := range e.m.Procs {
		for s, l := range p.Local {
			if past != nil {
				past[pid][s] = past[pid][s] && l.Section == interp.Entry
			}
		}
	}
	e.out.Doorway = past != nil
	return past
}

// state is a local state of a process.
func (e *exporter) state(pid int, s int32) State {
	l := &e.m.Procs[pid].Local[s]
	out := State{Place: -1, Section: int(l.Section), Register: l.Reg}
	for bit, is := range map[int]bool{Starts: l.Starts, Running: l.Running, Stops: l.Fault != nil, Buffered: e.buffered != nil && e.buffered(pid, s)} {
		if is {
			out.Flags |= bit
		}
	}
	rest := Rest{Holds: members(l.Holds), Pools: l.Pools}
	if l.Fault != nil {
		rest.Fault, rest.Refused = l.Fault.Error(), l.Fault.Refused
	}
	for _, b := range l.Binds {
		to := Bind{Slots: b.Slots, State: b.State, Content: [][2]int32{}}
		for _, c := range b.Content {
			to.Content = append(to.Content, [2]int32{c.Reg, max(c.Value, 0)})
		}
		rest.Binds = append(rest.Binds, to)
	}
	if rest.Holds != nil || rest.Fault != "" || rest.Binds != nil {
		out.Rest = &rest
	}
	if members := e.m.Procs[pid].Members[s]; len(members) > 0 {
		out.Place = e.place(pid, members[0])
	}
	keeps := true
	for v, m := range l.Moves {
		out.To, out.Now = append(out.To, m.State), append(out.Now, m.Value)
		keeps = keeps && int32(v) == m.Value
	}
	if keeps {
		out.Now = nil
	}
	return out
}

// place numbers the access of a learned state.
func (e *exporter) place(pid int, s int32) int32 {
	of := e.x.Learned.Learner
	st := of.Procs[pid].States[s]
	pos, label := of.M.Place(st)
	p := Place{Label: label, Op: "stop"}
	p.File, p.Line = of.M.Prog.Place(pos)
	if st.Access != nil {
		p.Op, p.Plain = st.Access.Op.String(), st.Access.Plain
	}
	n, known := e.places[p]
	if !known {
		n = int32(len(e.out.Places))
		e.places[p] = n
		e.out.Places = append(e.out.Places, p)
	}
	return n
}

func heap(h *automaton.Heap) *Heap {
	if h == nil {
		return nil
	}
	out := &Heap{Slots: []Slot{}, Roots: append([]int32{}, h.Roots...), Leads: [][][]int{}, Pools: append([][]int{}, h.Pools...)}
	for _, s := range h.Slots {
		slot := Slot{Registers: []int32{}, Leads: members(s.Leads)}
		for _, r := range s.Regs {
			slot.Registers = append(slot.Registers, r.Reg)
		}
		out.Slots = append(out.Slots, slot)
	}
	for _, values := range h.Leads {
		of := [][]int{}
		for _, v := range values {
			of = append(of, append([]int{}, members(v)...))
		}
		if !slices.ContainsFunc(of, func(to []int) bool { return len(to) > 0 }) {
			of = [][]int{}
		}
		out.Leads = append(out.Leads, of)
	}
	return out
}

// members are the numbers in a set, in order.
func members(set uint64) (all []int) {
	for ; set != 0; set &= set - 1 {
		all = append(all, bits.TrailingZeros64(set))
	}
	return all
}
