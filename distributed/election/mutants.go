package election

import (
	"shmbench/distributed"
	"shmbench/distributed/internal/fields"
)

// Mutants lists the elections of this package with one flaw each.
var Mutants = []*Algorithm{
	mutant(Bully, "bully-bare-counter", "terms that are the counter alone", func(e distributed.Elector) distributed.Elector { return bareCounter{e.(*bully)} }),
	mutant(Bully, "bully-follows-all", "a node follows every node that says that it leads, and answers no election", func(e distributed.Elector) distributed.Elector { return followsAll{e.(*bully)} }),
	mutant(Ring, "ring-gives-up", "a ring that does not pass over the dead", func(e distributed.Elector) distributed.Elector { return givesUp{e.(*ring)} }),
	mutant(Bully, "bully-no-term", "a leader compares elections with those of an asking node, and not their terms", func(e distributed.Elector) distributed.Elector { return noTerm{e.(*bully)} }),
	mutant(Bully, "bully-hasty", "an answer that is awaited for one tick, when it may take two", func(e distributed.Elector) distributed.Elector { return hasty{e.(*bully)} }),
	mutant(Ring, "ring-elects-last", "a ring that elects the last of its list, not the highest", func(e distributed.Elector) distributed.Elector {
		e.(*ring).pick = func(list []int64) int64 { return list[len(list)-1] }
		return e
	}),
	mutant(ChangRoberts, "chang-roberts-no-drop", "a candidacy that a higher node passes on", func(e distributed.Elector) distributed.Elector {
		return passesAll{e.(*changRoberts)}
	}),
	mutant(ChangRoberts, "chang-roberts-drops", "a candidacy that is dropped where it should be passed on", func(e distributed.Elector) distributed.Elector { return drops{e.(*changRoberts)} }),
	mutant(HirschbergSinclair, "hirschberg-sinclair-no-drop", "a probe that a higher node passes on", func(e distributed.Elector) distributed.Elector {
		return swallowsNothing{e.(*hirschbergSinclair)}
	}),
	mutant(Peterson, "peterson-ring-no-equal", "n1 > max(tid, v) for ≥: no candidate goes on", func(e distributed.Elector) distributed.Elector { return noEqual{e.(*peterson)} }),
	mutant(Ring, "ring-keeps-out", "a ring that goes on passing over a node that has restarted", func(e distributed.Elector) distributed.Elector { return keepsOut{e.(*ring)} }),
	mutant(Ring, "ring-greets-once", "a node that restarts and is not told of a leader elected without it", func(e distributed.Elector) distributed.Elector { return greetsOnce{e.(*ring)} }),
	mutant(ChangRoberts, "chang-roberts-untold", "a leader that is not made known", func(e distributed.Elector) distributed.Elector { return untold{e.(*changRoberts)} }),
}

func mutant(a Algorithm, name, title string, wrap func(distributed.Elector) distributed.Elector) *Algorithm {
	build := a.New
	a.Name, a.Title = name, title
	a.New = func(c Config) ([]distributed.Elector, error) {
		nodes, err := build(c)
		for i := range nodes {
			nodes[i] = wrap(nodes[i])
		}
		return nodes, err
	}
	return &a
}

type bareCounter struct{ *bully }

func (p bareCounter) Leader() (distributed.ID, int64) { return p.leader, p.term / int64(p.n) }

type followsAll struct{ *bully }

func (p followsAll) Receive(m distributed.Message, out *distributed.Out) {
	switch m.Kind {
	case distributed.Leader:
		p.leader, p.term = m.From, m.Stamp
		p.rest(out)
	case distributed.Election:
		p.hear(m.Stamp / int64(p.n))
	}
}

type givesUp struct{ *ring }

func (p givesUp) Expire(distributed.TimerID, *distributed.Out) {}

type untold struct{ *changRoberts }

func (p untold) Receive(m distributed.Message, out *distributed.Out) {
	from := len(out.Messages)
	p.changRoberts.Receive(m, out)
	for _, o := range out.Messages[from:] {
		if o.Kind == distributed.Leader {
			out.Messages = out.Messages[:from]
			p.link.Drop(out)
			return
		}
	}
}

type noTerm struct{ *bully }

func (p noTerm) Receive(m distributed.Message, out *distributed.Out) {
	if m.Kind == distributed.Election {
		m.Stamp -= m.Stamp % int64(p.n)
	}
	p.bully.Receive(m, out)
}

type hasty struct{ *bully }

func (p hasty) hurry(out *distributed.Out) {
	for i := range out.Timers {
		if t := &out.Timers[i]; t.ID == timerAnswer {
			t.After = min(t.After, 1)
		}
	}
}

func (p hasty) Suspect(out *distributed.Out) { p.bully.Suspect(out); p.hurry(out) }
func (p hasty) Receive(m distributed.Message, out *distributed.Out) {
	p.bully.Receive(m, out)
	p.hurry(out)
}
func (p hasty) Expire(t distributed.TimerID, out *distributed.Out) {
	p.bully.Expire(t, out)
	p.hurry(out)
}

type drops struct{ *changRoberts }

func (p drops) Receive(m distributed.Message, out *distributed.Out) {
	if m.Kind == distributed.Election && m.Who > p.me {
		p.link.Ack(m, out)
		return
	}
	p.changRoberts.Receive(m, out)
}

type passesAll struct{ *changRoberts }

func (p passesAll) Receive(m distributed.Message, out *distributed.Out) {
	if m.Kind == distributed.Election && m.Stamp == p.counter && p.best != distributed.None && m.Who != p.me {
		p.link.Ack(m, out)
		p.link.Send(m, out)
		return
	}
	p.changRoberts.Receive(m, out)
}

type swallowsNothing struct{ *hirschbergSinclair }

func (p swallowsNothing) Receive(m distributed.Message, out *distributed.Out) {
	if m.Kind == distributed.Election && m.Stamp == p.counter && p.started && m.Who < p.me {
		me := p.me
		p.me = distributed.None // which is lower than all
		p.hirschbergSinclair.Receive(m, out)
		p.me = me
		for i := range out.Messages {
			out.Messages[i].From = me
		}
		return
	}
	p.hirschbergSinclair.Receive(m, out)
}

type noEqual struct{ *peterson }

func (p noEqual) Receive(m distributed.Message, out *distributed.Out) {
	if m.Kind == distributed.Election && m.Flag && m.Stamp == p.counter && p.active && m.Who != p.me && p.n1 == max(p.tid, m.Who) {
		p.active, p.tid, p.n1 = false, distributed.None, distributed.None
		return
	}
	p.peterson.Receive(m, out)
}

type keepsOut struct{ *ring }

func (p keepsOut) Receive(m distributed.Message, out *distributed.Out) {
	link := fields.Clone(p.link)
	p.ring.Receive(m, out)
	if m.Kind == distributed.Join {
		p.link = link
	}
}

type greetsOnce struct{ *ring }

func (p greetsOnce) Receive(m distributed.Message, out *distributed.Out) {
	p.ring.Receive(m, out)
	p.welcomed = nil
}
