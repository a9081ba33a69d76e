package automaton

import (
	"encoding/binary"

	"shmbench/check/internal/interp"
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
	renumber := make([][]int32, len(seen))
	for r := range seen {
		renumber[r] = make([]int32, len(seen[r]))
		var values []interp.Value
		for v, occurs := range seen[r] {
			renumber[r][v] = Unknown
			if occurs {
				renumber[r][v] = int32(len(values))
				values = append(values, l.Regs[r].Values[v])
			}
		}
		m.Regs = append(m.Regs, Reg{At: l.Regs[r].At, Values: values})
	}
	for pid := range l.Procs {
		reached, err := l.complete(pid, seen)
		if err != nil {
			return nil, err
		}
		var mark map[int32]int
		if marks != nil {
			mark = marks(pid, reached, seen)
		}
		m.Procs = append(m.Procs, l.merge(pid, reached, seen, renumber, mark))
	}
	return m, nil
}

// complete learns what is missing for the values that occur and returns the
// local states that can be reached by them, the initial one first.
func (l *Learner) complete(pid int, seen Seen) ([]int32, error) {
	p := l.Procs[pid]
	queue := []int32{0}
	found := map[int32]bool{0: true}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		r := p.Reg[s]
		if r < 0 || int(r) >= len(seen) { // a register that is not reached in fact
			continue
		}
		for v, occurs := range seen[r] {
			if !occurs {
				continue
			}
			m, err := l.Step(pid, s, int32(v))
			if err != nil {
				return nil, err
			}
			if !found[m.State] {
				found[m.State] = true
				queue = append(queue, m.State)
			}
		}
	}
	return queue, nil
}

// merge refines a partition of the reached states until it is stable (Moore).
func (l *Learner) merge(pid int, reached []int32, seen Seen, renumber [][]int32, mark map[int32]int) *Proc {
	p := l.Procs[pid]
	class := make([]int32, len(p.States))
	signature := func(s int32) string {
		st := p.States[s]
		k := []byte{byte(st.Section), byte(Kind(st))}
		k = binary.AppendVarint(k, int64(p.Reg[s]))
		k = binary.AppendVarint(k, int64(mark[s]))
		if st.Fault != nil {
			return string(append(k, st.Fault.Error()...))
		}
		k = binary.AppendVarint(k, int64(class[s]))
		if r := p.Reg[s]; int(r) < len(seen) {
			for v, occurs := range seen[r] {
				if occurs {
					m := p.moves[s][v]
					k = binary.AppendVarint(k, int64(m.Value))
					k = binary.AppendVarint(k, int64(class[m.State]))
				}
			}
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
		local := Local{Section: st.Section, Kind: Kind(st), Reg: p.Reg[s], Fault: st.Fault, Mark: mark[s]}
		if r := p.Reg[s]; r >= 0 && int(r) < len(seen) {
			for v, occurs := range seen[r] {
				if !occurs {
					continue
				}
				m := p.moves[s][v]
				value := int32(Unknown)
				if int(m.Value) < len(renumber[r]) {
					value = renumber[r][m.Value]
				}
				local.Moves = append(local.Moves, Move{class[m.State], value})
			}
		}
		out.Local[c] = local
	}
	out.Init = class[0]
	return out
}
