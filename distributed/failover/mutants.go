package failover

import (
	"shmbench/distributed"
	"shmbench/distributed/internal/tamper"
)

// Mutants are the algorithms of this package, each with one flaw.
var Mutants = []distributed.Algorithm{
	tamper.Mutant(CentralBully, "central-bully-no-query", "a new coordinator that does not ask who is inside", tamper.After((*central).skipQuery)),
	tamper.Mutant(RingBully, "token-ring-bully-no-query", "a new leader that makes a token without asking who has it", tamper.After((*ring).skipQuery)),
	tamper.Mutant(RingBully, "token-ring-bully-token-twice", "a token that is sent again to a node that has restarted and may have it", tamper.Hooks[*ring]{
		Receive: func(p *ring, m distributed.Message, out *distributed.Out) {
			if m.Kind == distributed.Up {
				p.link.Joined(m.From, true, out)
			}
			p.Receive(m, out)
		},
	}),
}

func (p *central) skipQuery(out *distributed.Out) {
	if p.querying {
		p.end(out)
		p.serve(out)
	}
}

func (p *ring) skipQuery(out *distributed.Out) {
	if p.querying {
		p.end(out)
		p.restore(out)
	}
}
