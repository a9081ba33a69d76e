package permission

// Least and Shift make the nodes with timestamps distributed.Stampers.

func (p *ricartAgrawala) Least() int64 { return least(p.highestSequenceNumber, p.ourSequenceNumber) }

func (p *ricartAgrawala) Shift(d int64) { shift(d, &p.highestSequenceNumber, &p.ourSequenceNumber) }

func (p *lamport) Least() int64 { return least(p.clock, p.queue...) }

func (p *lamport) Shift(d int64) {
	shift(d, &p.clock)
	for j := range p.queue {
		shift(d, &p.queue[j])
	}
}

func (p *maekawa) Least() int64 {
	l := least(p.clock, p.stamp, p.lock.stamp)
	for _, r := range p.queue {
		l = least(l, r.stamp)
	}
	return l
}

func (p *maekawa) Shift(d int64) {
	shift(d, &p.clock, &p.stamp, &p.lock.stamp)
	for i := range p.queue {
		shift(d, &p.queue[i].stamp)
	}
}

// least returns the least of a clock and the timestamps that are one.
func least(clock int64, stamps ...int64) int64 {
	for _, s := range stamps {
		if s != 0 {
			clock = min(clock, s)
		}
	}
	return clock
}

// shift subtracts d from the timestamps that are one.
func shift(d int64, stamps ...*int64) {
	for _, s := range stamps {
		if *s != 0 {
			*s -= d
		}
	}
}

// SetClock makes nodes with timestamps distributed.Clocks.

func (p *ricartAgrawala) SetClock(latest int64) { p.highestSequenceNumber = latest }
func (p *lamport) SetClock(latest int64)        { p.clock = latest }
func (p *maekawa) SetClock(latest int64)        { p.clock = latest }
