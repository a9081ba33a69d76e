package election

import "shmbench/dist"

// Mutants are the elections of this package, each with one flaw.
var Mutants = []*Algorithm{
	mutant(Bully, "bully-bare-counter", "terms that are the counter alone", func(e dist.Elector) dist.Elector { return bareCounter{e.(*bully)} }),
	mutant(Bully, "bully-follows-all", "a node that follows whoever says that it leads, and answers no election", func(e dist.Elector) dist.Elector { return followsAll{e.(*bully)} }),
	mutant(Ring, "ring-gives-up", "a ring that does not pass over the dead", func(e dist.Elector) dist.Elector { return givesUp{e.(*ring)} }),
	mutant(ChangRoberts, "chang-roberts-untold", "a leader that is not made known", func(e dist.Elector) dist.Elector { return untold{e.(*changRoberts)} }),
}

func mutant(a Algorithm, name, title string, wrap func(dist.Elector) dist.Elector) *Algorithm {
	build := a.New
	a.Name, a.Title = name, title
	a.New = func(n int) ([]dist.Elector, error) {
		nodes, err := build(n)
		for i := range nodes {
			nodes[i] = wrap(nodes[i])
		}
		return nodes, err
	}
	return &a
}

type bareCounter struct{ *bully }

func (p bareCounter) Leader() (dist.ID, int64) { return p.leader, p.term / int64(p.n) }
func (p bareCounter) Clone() dist.Machine      { return bareCounter{p.bully.Clone().(*bully)} }

type followsAll struct{ *bully }

func (p followsAll) Receive(m dist.Message, out *dist.Out) {
	switch m.Kind {
	case dist.Leader:
		p.leader, p.term = m.From, m.Stamp
		p.rest(out)
	case dist.Election:
		p.hear(m.Stamp)
	}
}
func (p followsAll) Clone() dist.Machine { return followsAll{p.bully.Clone().(*bully)} }

type givesUp struct{ *ring }

func (p givesUp) Expire(dist.TimerID, *dist.Out) {}
func (p givesUp) Clone() dist.Machine            { return givesUp{p.ring.Clone().(*ring)} }

type untold struct{ *changRoberts }

func (p untold) Receive(m dist.Message, out *dist.Out) {
	from := len(out.Messages)
	p.changRoberts.Receive(m, out)
	for _, o := range out.Messages[from:] {
		if o.Kind == dist.Leader {
			out.Messages = out.Messages[:from]
			p.link.Drop(out)
			return
		}
	}
}
func (p untold) Clone() dist.Machine { return untold{p.changRoberts.Clone().(*changRoberts)} }
