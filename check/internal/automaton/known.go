package automaton

// Known returns the automata of what was learned so far, for at most so many local states of
// each process. No states are merged. A move that is not known has State Unknown.
func (l *Learner) Known(most int) *Model {
	m := &Model{N: l.M.N, Heap: l.modelHeap(l.AllSeen())}
	for _, r := range l.Regs {
		reg := Reg{At: r.At, Values: r.Values, Decided: r.Decided}
		for v := range r.Values {
			reg.Numbers = append(reg.Numbers, int32(v))
		}
		m.Regs = append(m.Regs, reg)
	}
	for pid, p := range l.Procs {
		within := func(s int32) int32 {
			if int(s) >= most {
				return Unknown
			}
			return s
		}
		out := &Proc{}
		for s := range int32(min(most, len(p.States))) {
			st := p.States[s]
			local := Local{Section: st.Section, Mode: st.Mode, GaveUp: st.GaveUp, Kind: p.kinds[s], Decides: st.Access != nil && st.Access.Decides(),
				Reg: p.Reg[s], Fault: st.Fault, Holds: p.holds[s], Pools: p.pools[s]}
			for v := range l.values(p.Reg[s]) {
				move := l.move(pid, s, v)
				local.Moves = append(local.Moves, Move{within(move.State), move.Value})
			}
			for _, b := range p.binds[s] {
				if within(b.State) >= 0 {
					local.Binds = append(local.Binds, b)
				}
			}
			out.Local, out.Members = append(out.Local, local), append(out.Members, []int32{s})
		}
		m.Procs = append(m.Procs, out)
	}
	return m
}

// values returns how many values of a register are known, 0 if there is no register.
func (l *Learner) values(reg int32) int32 {
	if reg < 0 {
		return 0
	}
	return int32(len(l.Regs[reg].Values))
}
