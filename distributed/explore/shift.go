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
		least = min(least, g.automata[i].locals[l].(distributed.Stamper).Least())
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
