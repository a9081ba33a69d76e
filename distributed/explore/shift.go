package explore

import (
	"math"

	"shmbench/distributed"
)

// shift makes the least timestamp of s be 1 or less. In endless runs of nodes that
// are distributed.Stampers, states that differ only by a shift count as one state.
func (g *graph) shift(s *state) {
	least := int64(math.MaxInt64)
	for i, l := range s.local {
		least = min(least, g.automata[i].least[l])
	}
	for _, c := range s.chans {
		for _, m := range c {
			msg := g.table.messages[m.message()]
			for _, stamp := range [...]int64{msg.Stamp, msg.Clock} {
				if stamp != 0 {
					least = min(least, stamp)
				}
			}
		}
	}
	if least <= 1 {
		return
	}
	d := least - 1
	for i, l := range s.local {
		s.local[i] = g.automata[i].step(l, input{evShift, int32(d)}, &g.table).next
	}
	for _, c := range s.chans {
		for k, m := range c {
			msg := g.table.messages[m.message()]
			for _, stamp := range [...]*int64{&msg.Stamp, &msg.Clock} {
				if *stamp != 0 {
					*stamp -= d
				}
			}
			c[k] = entryOf(g.table.of(msg)) | m&due
		}
	}
}

// least returns the least timestamp of m, a clock of 0 included.
func least(m distributed.Machine) int64 {
	least := int64(math.MaxInt64)
	if s, is := m.(distributed.Stamper); is {
		clock, others := s.Stamps()
		if clock != nil {
			least = *clock
		}
		for _, stamp := range others {
			if *stamp != 0 {
				least = min(least, *stamp)
			}
		}
	}
	return least
}

// shiftStamps subtracts d from the timestamps of s.
func shiftStamps(s distributed.Stamper, d int64) {
	clock, stamps := s.Stamps()
	if clock != nil {
		stamps = append(stamps, clock)
	}
	for _, stamp := range stamps {
		if *stamp != 0 {
			*stamp -= d
		}
	}
}
