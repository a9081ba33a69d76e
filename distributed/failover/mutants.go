package failover

import (
	"shmbench/distributed"
	"shmbench/distributed/internal/tamper"
)

// Mutants are the algorithms of this package, each with one flaw.
var Mutants = []distributed.Algorithm{
	tamper.Mutant(CentralBully, "central-bully-no-query", "a new coordinator that does not ask who is inside", tamper.After((*central).skipQuery)),
	tamper.Mutant(RingBully, "token-ring-bully-no-query", "a new leader that makes a token without asking who has it", tamper.After((*ring).skipQuery)),
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
