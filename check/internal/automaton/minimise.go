package automaton

import (
	"encoding/binary"
	"slices"

	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// Seen says which values of each register occur: Seen[r][v].
type Seen [][]bool

// AllSeen says that every value known so far occurs.
func (l *Learner) AllSeen() Seen {
	seen := make(Seen, len(l.Regs))
	for r, reg := range l.Regs {
		seen[r] = make([]bool, len(reg.Values))
		for v := range seen[r] {
			seen[r][v] = true
		}
	}
	return seen
}

// Minimise returns the least automata with the same behaviour on the values
// that occur: local states are merged when nothing that they do, whatever the
// accesses return, tells them apart, nor what marks gives for them, unless it
// is nil.
func (l *Learner) Minimise(seen Seen, marks Marks) (*Model, error) {
	m := &Model{N: l.M.N}
	renumber := make(renumbering, len(seen))
	for r := range seen {
		renumber[r] = make([]int32, len(seen[r]))
		reg := Reg{At: l.Regs[r].At, Decided: l.Regs[r].Decided}
		for v, occurs := range seen[r] {
			renumber[r][v] = Unknown
			if occurs {
				renumber[r][v] = int32(len(reg.Values))
				reg.Values, reg.Numbers = append(reg.Values, l.Regs[r].Values[v]), append(reg.Numbers, int32(v))
			}
		}
		m.Regs = append(m.Regs, reg)
	}
	for pid := range l.Procs {
		reached, err := l.complete(pid, seen)
		if err != nil {
			return nil, err
		}
		var mark map[int32]int64
		if marks != nil {
			mark = marks(pid, reached, seen)
		}
		m.Procs = append(m.Procs, l.merge(pid, reached, seen, renumber, mark))
	}
	m.Heap = l.modelHeap(seen)
	return m, nil
}

// complete learns what is missing for the values that occur and returns the
// local states that can be reached by them, the initial one first.
func (l *Learner) complete(pid int, seen Seen) ([]int32, error) {
	p := l.Procs[pid]
	reached, queue := []int32{0}, []int32{0}
	// A state that is only the end of a bind makes its access for no other
	// values than those for which the bind is made.
	const bound, whole = 1, 2
	found := map[int32]int{0: whole}
	find := func(s int32, how int) {
		if found[s] == 0 {
			reached = append(reached, s)
		}
		if found[s] < how {
			found[s] = how
			queue = append(queue, s)
		}
	}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		r := p.Reg[s]
		if r < 0 || int(r) >= len(seen) { // a register that is not reached in fact
			continue
		}
		for v, occurs := range seen[r] {
			switch {
			case !occurs:
			case l.takes(pid, s, int32(v)):
				for k := range p.binds[s] {
					l.contents(&p.binds[s][k])
					find(p.binds[s][k].State, bound)
				}
			case found[s] == bound && !p.States[s].Access.Takes(l.Regs[r].Values[v]):
				if v < len(p.moves[s]) {
					p.moves[s][v] = Move{Unknown, Unknown}
				}
			default:
				m, err := l.Step(pid, s, int32(v))
				if err != nil {
					return nil, err
				}
				find(m.State, whole)
			}
		}
	}
	return reached, nil
}

// move returns a transition as Step does, Binds where the access shares memory,
// and Unknown where there is none.
func (l *Learner) move(pid int, s, v int32) Move {
	if l.takes(pid, s, v) {
		return Move{Binds, Unknown}
	}
	if moves := l.Procs[pid].moves[s]; int(v) < len(moves) {
		return moves[v]
	}
	return Move{Unknown, Unknown}
}

// renumbering gives the numbers that the values which occur have in a model.
type renumbering [][]int32

func (n renumbering) of(reg, value int32) int32 {
	if value >= 0 && int(reg) < len(n) && int(value) < len(n[reg]) {
		return n[reg][value]
	}
	return Unknown
}

// modelHeap returns what is known of slots, for the values that occur.
func (l *Learner) modelHeap(seen Seen) *Heap {
	if !l.shares {
		return nil
	}
	h := &Heap{Pools: l.heap.Pools, Leads: make([][]uint64, len(seen))}
	within := func(reg int32) bool { return int(reg) < len(seen) }
	for _, r := range l.heap.Roots {
		if within(r) {
			h.Roots = append(h.Roots, r)
		}
	}
	for _, s := range l.heap.Slots {
		h.Slots = append(h.Slots, Slot{slices.DeleteFunc(slices.Clone(s.Regs), func(r SlotReg) bool { return !within(r.Reg) }), s.Leads})
	}
	for r := range seen {
		for v, occurs := range seen[r] {
			if occurs {
				h.Leads[r] = append(h.Leads[r], l.heap.lead(int32(r), int32(v)))
			}
		}
	}
	return h
}

// merge refines a partition of the reached states until it is stable (Moore).
func (l *Learner) merge(pid int, reached []int32, seen Seen, renumber renumbering, mark map[int32]int64) *Proc {
	p := l.Procs[pid]
	class := make([]int32, len(p.States))
	of := func(s int32) int32 {
		if s < 0 {
			return s
		}
		return class[s]
	}
	signature := func(s int32) string {
		st := p.States[s]
		k := []byte{byte(st.Section), byte(Kind(st))}
		// Of who leaves it is asked only whether it is a reader.
		switch {
		case st.Section != interp.Exit:
			k = append(k, byte(st.Mode))
		case st.Mode.Reads():
			k = append(k, byte(shm.Shared))
		}
		if st.GaveUp {
			k = append(k, 1)
		}
		k = binary.AppendVarint(k, int64(p.Reg[s]))
		k = binary.AppendVarint(k, mark[s])
		k = binary.AppendUvarint(k, p.holds[s])
		if st.Fault != nil {
			return string(append(k, st.Fault.Error()...))
		}
		k = binary.AppendVarint(k, int64(class[s]))
		if r := p.Reg[s]; int(r) < len(seen) {
			for v, occurs := range seen[r] {
				if occurs {
					m := l.move(pid, s, int32(v))
					k = binary.AppendVarint(k, int64(m.Value))
					k = binary.AppendVarint(k, int64(of(m.State)))
				}
			}
		}
		for _, b := range p.binds[s] {
			for _, slot := range b.Slots {
				k = append(k, byte(slot))
			}
			for _, c := range b.within(len(seen)) {
				k = binary.AppendVarint(k, int64(c.Value))
			}
			k = binary.AppendVarint(k, int64(class[b.State]))
		}
		return string(k)
	}
	classes := 1
	for {
		ids := map[string]int32{}
		next := make([]int32, len(reached))
		for i, s := range reached {
			k := signature(s)
			id, ok := ids[k]
			if !ok {
				id = int32(len(ids))
				ids[k] = id
			}
			next[i] = id
		}
		for i, s := range reached {
			class[s] = next[i]
		}
		if len(ids) == classes {
			break
		}
		classes = len(ids)
	}
	out := &Proc{Local: make([]Local, classes), Members: make([][]int32, classes)}
	for _, s := range reached {
		c := class[s]
		out.Members[c] = append(out.Members[c], s)
		if len(out.Members[c]) > 1 {
			continue
		}
		st := p.States[s]
		local := Local{Section: st.Section, Mode: st.Mode, GaveUp: st.GaveUp, Kind: Kind(st), Decides: st.Access != nil && st.Access.Decides(), Reg: p.Reg[s], Fault: st.Fault, Mark: mark[s], Holds: p.holds[s]}
		if r := p.Reg[s]; r >= 0 && int(r) < len(seen) {
			for v, occurs := range seen[r] {
				if occurs {
					m := l.move(pid, s, int32(v))
					local.Moves = append(local.Moves, Move{of(m.State), renumber.of(r, m.Value)})
				}
			}
		}
		for _, b := range p.binds[s] {
			to := Bind{Slots: b.Slots, State: class[b.State]}
			for _, c := range b.within(len(seen)) {
				to.Content = append(to.Content, Content{c.Reg, renumber.of(c.Reg, c.Value)})
			}
			local.Binds = append(local.Binds, to)
		}
		if len(local.Binds) > 0 {
			local.Pools = p.pools[s]
		}
		out.Local[c] = local
	}
	out.Init = class[0]
	return out
}
