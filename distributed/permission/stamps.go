package permission

// Stamps makes the nodes with timestamps distributed.Stampers.

func (p *ricartAgrawala) Stamps() (clock *int64, others []*int64) {
	return &p.highestSequenceNumber, []*int64{&p.ourSequenceNumber}
}

func (p *ricartAgrawalaReply) Stamps() (clock *int64, others []*int64) {
	return &p.highest, append(places(p.deferred), &p.my)
}

func (p *ricartAgrawalaTimeout) Stamps() (clock *int64, others []*int64) {
	return &p.highest, []*int64{&p.my}
}

func (p *lamport) Stamps() (clock *int64, others []*int64) { return &p.clock, places(p.queue) }

func (p *maekawa) Stamps() (clock *int64, others []*int64) {
	others = []*int64{&p.stamp, &p.lock.stamp}
	for k := range p.queue {
		others = append(others, &p.queue[k].stamp)
	}
	return &p.clock, others
}

// places returns where the elements of a list are.
func places(list []int64) []*int64 {
	all := make([]*int64, len(list))
	for k := range list {
		all[k] = &list[k]
	}
	return all
}

// SetClock makes nodes with timestamps distributed.Clocks.

func (p *ricartAgrawala) SetClock(latest int64) { p.highestSequenceNumber = latest }
func (p *lamport) SetClock(latest int64)        { p.clock = latest }
func (p *maekawa) SetClock(latest int64)        { p.clock = latest }
