package automaton

import (
	"encoding/binary"

	"shmbench/check/internal/interp"
	"shmbench/shm"
)

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

// merging is the search for the local states of a process that nothing tells apart.
type merging struct {
	l        *Learner
	pid      int
	p        *Process
	seen     Seen
	renumber renumbering
	mark     map[int32]int64
	class    []int32 // by local state
}

// merge refines a partition of the reached states until it is stable (Moore).
func (m *merging) merge(reached []int32) *Proc {
	classes := 1
	for stable := false; !stable; {
		ids := map[string]int32{}
		next := make([]int32, len(reached))
		for i, s := range reached {
			k := m.signature(s)
			id, ok := ids[k]
			if !ok {
				id = int32(len(ids))
				ids[k] = id
			}
			next[i] = id
		}
		for i, s := range reached {
			m.class[s] = next[i]
		}
		stable, classes = len(ids) == classes, len(ids)
	}
	out := &Proc{Init: m.class[0], Local: make([]Local, classes), Members: make([][]int32, classes)}
	for _, s := range reached {
		c := m.class[s]
		if out.Members[c] = append(out.Members[c], s); len(out.Members[c]) == 1 {
			out.Local[c] = m.local(s)
		}
	}
	return out
}

// of returns the class of a local state, and what stands for one that there is not.
func (m *merging) of(s int32) int32 {
	if s < 0 {
		return s
	}
	return m.class[s]
}

// signature is equal for two local states of a class that may stay in one.
func (m *merging) signature(s int32) string {
	st := m.p.States[s]
	k := []byte{byte(st.Section), byte(Kind(st))}
	// In the exit section it makes a difference only whether the process is a reader.
	switch {
	case st.Section != interp.Exit:
		k = append(k, byte(st.Mode))
	case st.Mode.Reads():
		k = append(k, byte(shm.Shared))
	}
	if st.GaveUp {
		k = append(k, 1)
	}
	k = binary.AppendVarint(k, int64(m.p.Reg[s]))
	k = binary.AppendVarint(k, m.mark[s])
	k = binary.AppendUvarint(k, m.p.holds[s])
	if st.Fault != nil {
		return string(append(k, st.Fault.Error()...))
	}
	k = binary.AppendVarint(k, int64(m.class[s]))
	for v := range m.seen.Occurring(m.p.Reg[s]) {
		move := m.l.move(m.pid, s, v)
		k = binary.AppendVarint(k, int64(move.Value))
		k = binary.AppendVarint(k, int64(m.of(move.State)))
	}
	for _, b := range m.p.binds[s] {
		for _, slot := range b.Slots {
			k = append(k, byte(slot))
		}
		for _, c := range b.within(len(m.seen)) {
			k = binary.AppendVarint(k, int64(c.Value))
		}
		k = binary.AppendVarint(k, int64(m.class[b.State]))
	}
	return string(k)
}

// local returns the state of the model that a local state is merged into.
func (m *merging) local(s int32) Local {
	st := m.p.States[s]
	local := Local{Section: st.Section, Mode: st.Mode, GaveUp: st.GaveUp, Kind: Kind(st), Decides: st.Access != nil && st.Access.Decides(),
		Reg: m.p.Reg[s], Fault: st.Fault, Mark: m.mark[s], Holds: m.p.holds[s]}
	for v := range m.seen.Occurring(local.Reg) {
		move := m.l.move(m.pid, s, v)
		local.Moves = append(local.Moves, Move{m.of(move.State), m.renumber.of(local.Reg, move.Value)})
	}
	for _, b := range m.p.binds[s] {
		to := Bind{Slots: b.Slots, State: m.class[b.State]}
		for _, c := range b.within(len(m.seen)) {
			to.Content = append(to.Content, Content{c.Reg, m.renumber.of(c.Reg, c.Value)})
		}
		local.Binds = append(local.Binds, to)
	}
	if len(local.Binds) > 0 {
		local.Pools = m.p.pools[s]
	}
	return local
}
