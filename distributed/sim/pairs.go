package sim

// pairs remembers, for each ordered pair of nodes with a message under way, the
// time at which the last one arrives. Pairs without one are forgotten, so its
// size follows the messages in flight and not the square of the nodes.
type pairs struct {
	slots []pairSlot // open addressing, a power of two
	spare []pairSlot // as long, for the next purge
	used  int
}

type pairSlot struct {
	pair uint64 // 0: empty
	last int64
}

func newPairs() pairs {
	return pairs{slots: make([]pairSlot, 64), spare: make([]pairSlot, 64)}
}

// inOrder returns the time, at or after at, at which a message sent now from
// one node to another arrives if it may not overtake the pair's earlier ones.
func (p *pairs) inOrder(now, at int64, from, to int32) int64 {
	pair := (uint64(uint32(from))<<32 | uint64(uint32(to))) + 1
	s := p.find(pair)
	if s.pair == pair {
		at = max(at, s.last)
		s.last = at
		return at
	}
	if 2*(p.used+1) > len(p.slots) {
		p.purge(now)
		s = p.find(pair)
	}
	*s = pairSlot{pair, at}
	p.used++
	return at
}

// find returns pair's slot or the empty one where it belongs.
func (p *pairs) find(pair uint64) *pairSlot {
	mask := uint64(len(p.slots) - 1)
	for i := pair * 0x9e3779b97f4a7c15 >> 32; ; i++ {
		if s := &p.slots[i&mask]; s.pair == pair || s.pair == 0 {
			return s
		}
	}
}

// purge drops the pairs whose messages have all arrived, and doubles the table
// if more than a quarter of it is left.
func (p *pairs) purge(now int64) {
	old := p.slots
	live := 0
	for _, s := range old {
		if s.pair != 0 && s.last >= now {
			live++
		}
	}
	into := p.spare
	if 4*live > len(old) {
		into = make([]pairSlot, 2*len(old))
		p.spare = make([]pairSlot, 2*len(old))
	} else {
		clear(into)
		p.spare = old
	}
	p.slots, p.used = into, live
	for _, s := range old {
		if s.pair != 0 && s.last >= now {
			*p.find(s.pair) = s
		}
	}
}
