package token

import (
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/internal/tamper"
)

// Mutants are the algorithms of this package, each with one flaw.
var Mutants = []distributed.Algorithm{
	tamper.Mutant(Ring, "token-ring-two-tokens", "a ring in which two nodes make the first token", tamper.Hooks[*ring]{
		Start: func(p *ring, out *distributed.Out) {
			if p.me < 2 {
				p.pass(out)
			}
		},
	}),
	tamper.Mutant(Ring, "token-ring-keeps-token", "a node that does not pass the token on after use", tamper.SilentRelease[*ring](distributed.Token)),
	tamper.Mutant(Ring, "token-ring-passes-by", "a node that never takes the token", tamper.Hooks[*ring]{
		Receive: func(p *ring, m distributed.Message, out *distributed.Out) {
			if p.me == 1 {
				p.pass(out)
			} else {
				p.Receive(m, out)
			}
		},
	}),
	tamper.Mutant(Ring, "token-ring-greedy", "a node that keeps the token while any thread of its own waits", tamper.Hooks[*ring]{
		Release: func(p *ring, _ distributed.Thread, out *distributed.Out) {
			if p.local.Remove() {
				out.Grant(p.local.Head())
			} else {
				p.pass(out)
			}
		},
	}),
	tamper.Mutant(SuzukiKasami, "suzuki-kasami-no-numbers", "a holder that takes each request for a new one", tamper.Hooks[*suzukiKasami]{
		Receive: func(p *suzukiKasami, m distributed.Message, out *distributed.Out) {
			if m.Kind == distributed.Request && p.token != nil {
				m.Stamp = max(m.Stamp, p.token[m.From]+1)
			}
			p.Receive(m, out)
		},
	}),
	lecture,
	tamper.Mutant(SuzukiKasami, "suzuki-kasami-empty-queue", "a release that puts no node into the token's queue", tamper.Hooks[*suzukiKasami]{
		Release: func(p *suzukiKasami, t distributed.Thread, out *distributed.Out) {
			rn := slices.Clone(p.rn)
			for j := range p.rn {
				if distributed.ID(j) != p.i {
					p.rn[j] = p.token[j]
				}
			}
			p.Release(t, out)
			for j := range rn {
				p.rn[j] = max(p.rn[j], rn[j])
			}
		},
	}),
	tamper.Mutant(Raymond, "raymond-asks-once", "a node that passes the token on and forgets to ask for it again", tamper.NeverAsksAgain[*raymond](distributed.Request)),
	tamper.Mutant(Raymond, "raymond-turns-back", "a node that passes the token on and points to where it came from", tamper.Hooks[*raymond]{
		Receive: func(p *raymond, m distributed.Message, out *distributed.Out) {
			p.Receive(m, out)
			if m.Kind == distributed.Token && p.holder != p.self {
				p.holder = m.From
			}
		},
	}),
	tamper.Mutant(NaimiTrehel, "naimi-trehel-no-reversal", "a request that turns no node on its way", tamper.Hooks[*naimiTrehel]{
		Receive: func(p *naimiTrehel, m distributed.Message, out *distributed.Out) {
			owner := p.owner
			p.Receive(m, out)
			if owner != distributed.None {
				p.owner = owner
			}
		},
	}),
	tamper.Mutant(NaimiTrehel, "local-queue-newest-first", "a node whose threads wait in a queue that is last in first out", tamper.Hooks[*naimiTrehel]{
		Request: func(p *naimiTrehel, t distributed.Thread, out *distributed.Out) {
			threads := p.local.Threads()
			p.Request(t, out)
			if len(threads) > 1 {
				p.local = distributed.LocalQueue{}
				for _, next := range slices.Concat(threads[:1], []distributed.Thread{t}, threads[1:]) {
					p.local.Add(next)
				}
			}
		},
	}),
	tamper.Mutant(NaimiTrehel, "naimi-trehel-two-roots", "a root that gives the token away and points to no node", tamper.Hooks[*naimiTrehel]{
		Receive: func(p *naimiTrehel, m distributed.Message, out *distributed.Out) {
			gives := m.Kind == distributed.Request && p.owner == distributed.None && !p.requesting
			p.Receive(m, out)
			if gives {
				p.owner = distributed.None
			}
		},
	}),
	tamper.Mutant(NaimiTrehel, "naimi-trehel-keeps-next", "a node that does not forget its next after serving it", tamper.Hooks[*naimiTrehel]{
		Release: func(p *naimiTrehel, t distributed.Thread, out *distributed.Out) {
			next := p.next
			p.Release(t, out)
			p.next = next
		},
	}),
	tamper.Mutant(NeilsenMizuno, "neilsen-mizuno-sink-keeps", "a sink that waits or is in its critical section, and does not turn to the node that asks", tamper.Hooks[*neilsenMizuno]{
		Receive: func(p *neilsenMizuno, m distributed.Message, out *distributed.Out) {
			stays := m.Kind == distributed.Request && p.last == distributed.None && !p.holding
			p.Receive(m, out)
			if stays {
				p.last = distributed.None
			}
		},
	}),
	tamper.Mutant(NeilsenMizuno, "neilsen-mizuno-relay-keeps", "a node that passes a request on and does not turn its edge", tamper.Hooks[*neilsenMizuno]{
		Receive: func(p *neilsenMizuno, m distributed.Message, out *distributed.Out) {
			last := p.last
			p.Receive(m, out)
			if m.Kind == distributed.Request && last != distributed.None {
				p.last = last
			}
		},
	}),
	tamper.Mutant(Mueller, "mueller-one-next", "one next for all threads of a node", tamper.Hooks[*mueller]{
		Receive: func(p *mueller, m distributed.Message, out *distributed.Out) {
			p.Receive(m, out)
			for t := range p.next {
				if m.Kind == distributed.Request && distributed.Thread(t) != p.last {
					p.next[t] = nobody
				}
			}
		},
	}),
}
