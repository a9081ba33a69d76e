package failover

import (
	"shmbench/distributed"
	"shmbench/distributed/internal/tamper"
)

// Mutants lists the algorithms of this package with one flaw each.
var Mutants = []distributed.Algorithm{
	tamper.Mutant(CentralBully, "central-bully-no-query", "a new coordinator that does not ask which thread is in its critical section", tamper.After((*central).skipQuery)),
	tamper.Mutant(RingBully, "token-ring-bully-no-query", "a new leader that makes a token without asking which node has it", tamper.After((*ring).skipQuery)),
	tamper.Mutant(RingBully, "token-ring-bully-token-twice", "a token that is sent again to a node that has restarted and may have it", tamper.Hooks[*ring]{
		Receive: func(p *ring, m distributed.Message, out *distributed.Out) {
			if m.Kind == distributed.Up {
				p.link.Joined(m.From, true, out)
			}
			p.Receive(m, out)
		},
	}),
	tamper.Mutant(CentralRegister, "central-register-unasked", "a coordinator that begins its reign before the register has given it", unasked),
	tamper.Mutant(CentralMajority, "central-majority-early", "a coordinator that does not wait for the majority", unasked),
	tamper.Mutant(CentralMajority, "central-majority-short-vote", "a vote that lasts as long as a permission", tamper.After(func(p *reign, out *distributed.Out) {
		for k := range out.Timers {
			if t := &out.Timers[k]; t.ID == timerVote {
				t.After = min(t.After, p.lease)
			}
		}
	})),
	tamper.Mutant(CentralRegister, "central-register-resumes", "a coordinator that goes on at once when it has restarted", tamper.Hooks[*reign]{
		Receive: func(p *reign, m distributed.Message, out *distributed.Out) {
			if p.round == pausing {
				p.end(quiet)
			}
			p.Receive(m, out)
		},
	}),
}

// unasked is a coordinator that grants as soon as it has claimed.
var unasked = tamper.Hooks[*reign]{
	Request: func(p *reign, t distributed.Thread, out *distributed.Out) {
		p.Request(t, out)
		p.skipVote(out)
	},
	Receive: func(p *reign, m distributed.Message, out *distributed.Out) {
		p.Receive(m, out)
		p.skipVote(out)
	},
	Expire: func(p *reign, t distributed.TimerID, out *distributed.Out) {
		p.Expire(t, out)
		p.skipVote(out)
	},
}

func (p *reign) skipVote(out *distributed.Out) {
	if p.round == claiming {
		p.end(quiet)
		out.Cancel(timerRound)
		p.grant(out)
	}
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
