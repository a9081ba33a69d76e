package failover

import (
	"shmbench/distributed"
	"shmbench/distributed/internal/tamper"
)

// Mutants are the algorithms of this package, each with one flaw.
var Mutants = []distributed.Algorithm{
	tamper.Mutant(CentralBully, "central-bully-no-inquest", "a new coordinator that does not ask who is inside", tamper.Hooks[*central]{
		Receive: func(p *central, m distributed.Message, out *distributed.Out) {
			p.Receive(m, out)
			p.skipInquest(out)
		},
		Expire: func(p *central, t distributed.TimerID, out *distributed.Out) {
			p.Expire(t, out)
			p.skipInquest(out)
		},
	}),
	tamper.Mutant(RingBully, "token-ring-bully-no-inquest", "a new leader that makes a token without asking who has it", tamper.Hooks[*ring]{
		Receive: func(p *ring, m distributed.Message, out *distributed.Out) {
			p.Receive(m, out)
			p.skipInquest(out)
		},
		Expire: func(p *ring, t distributed.TimerID, out *distributed.Out) {
			p.Expire(t, out)
			p.skipInquest(out)
		},
	}),
}

func (p *central) skipInquest(out *distributed.Out) {
	if p.inquest {
		p.end(out)
		p.serve(out)
	}
}

func (p *ring) skipInquest(out *distributed.Out) {
	if p.inquest {
		p.end(out)
		p.restore(out)
	}
}
