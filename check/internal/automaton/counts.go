package automaton

import (
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"

	"shmbench/check/internal/interp"
)

// Counts returns the counts that decide about what a process does from each local state of a model
// on, by process and local state. A local state of the model stands for several of the learner: a
// count that takes every remainder in these decides nothing. The others of an anchored class are
// given with each of their values. It returns false if that cannot be told of
// each count by itself, or if a count decides nothing and was perhaps subtracted from another.
func (l *Learner) Counts(m *Model) (all [][][]interp.Count, ok bool) {
	for pid, p := range m.Procs {
		var of [][]interp.Count
		for s := range p.Local {
			counts, ok := l.deciding(pid, p.Members[s])
			if !ok {
				return nil, false
			}
			of = append(of, counts)
		}
		all = append(all, of)
	}
	return all, true
}

// deciding returns the counts that decide in local states of the learner that were merged.
func (l *Learner) deciding(pid int, members []int32) (counts []interp.Count, ok bool) {
	shapes := map[string][][]interp.Count{}
	for _, s := range members {
		shape, of := l.Procs[pid].States[s].Shape()
		shapes[shape] = append(shapes[shape], of)
	}
	for _, states := range shapes {
		combinations := 1
		for i, c := range states[0] {
			values, remainders := map[interp.Count]bool{}, uint64(0)
			for _, of := range states {
				if values[of[i]] = true; of[i].Lap != interp.FirstLap {
					remainders |= 1 << of[i].N
				}
			}
			switch {
			case bits.OnesCount64(remainders) == int(c.M):
				if l.M.Apart() {
					return nil, false
				}
			case len(values) == 1, c.Lap > 0:
				counts = slices.AppendSeq(counts, maps.Keys(values))
			default:
				return nil, false
			}
			combinations *= len(values)
		}
		if combinations != distinct(states) {
			return nil, false
		}
	}
	return counts, true
}

// distinct is how many of the states have different counts.
func distinct(states [][]interp.Count) int {
	keys := map[string]bool{}
	for _, of := range states {
		var key []byte
		for _, c := range of {
			key = append(binary.AppendUvarint(key, c.N), byte(c.Lap))
		}
		keys[string(key)] = true
	}
	return len(keys)
}

// Classes returns the classes of counts that a model has, in the order of its registers.
func (m *Model) Classes() (all []interp.Count) {
	for _, r := range m.Regs {
		for _, v := range r.Values {
			if c, ok := v.(interp.Count); ok && !slices.ContainsFunc(all, func(d interp.Count) bool { return d.Of == c.Of }) {
				all = append(all, c)
			}
		}
	}
	return all
}
