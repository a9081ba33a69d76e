package alien

import (
	"shmbench/distributed"
	"shmbench/distributed/internal/tamper"
)

// Mutants lists the algorithms of this package with one flaw each.
var Mutants = []distributed.Algorithm{
	V1AsPrinted, V1PiggybackAsPrinted, V2AsPrinted, V2PiggybackAsPrinted,
	tamper.Mutant(V1AsPrinted, "alien-v1-half-repair-owner", "as printed, but any token sets probOwner", ownerOnly),
	tamper.Mutant(V1AsPrinted, "alien-v1-half-repair-requested", "as printed, but any token clears tokenRequested", requestedOnly),
	tamper.Mutant(V2AsPrinted, "alien-v2-half-repair-owner", "as printed, but any token sets probOwner", ownerOnly),
	tamper.Mutant(V2AsPrinted, "alien-v2-half-repair-requested", "as printed, but any token clears tokenRequested", requestedOnly),
	tamper.Mutant(V1AsPrinted, "alien-v1-printed-no-token-requested", "as printed, without tokenRequested: every thread asks", everyThreadAsks),
	tamper.Mutant(V1, "alien-v1-no-token-requested", "repaired, without tokenRequested: every thread asks, which costs messages and no more", everyThreadAsks),
	tamper.Mutant(V1, "alien-v1-no-return", "a node that gives the token away and does not ask for it back", tamper.NeverAsksAgain[*node](distributed.Signal)),
	tamper.Mutant(V2, "alien-v2-always-forwards", "an alien thread that passes the request on although its host waits too", tamper.Hooks[*node]{
		Receive: func(p *node, m distributed.Message, out *distributed.Out) {
			if m.Kind == distributed.Signal && p.probOwner != p.pid {
				m.From, m.To = p.pid, p.probOwner
				out.Send(m)
				return
			}
			p.Receive(m, out)
		},
	}),
}

var everyThreadAsks = tamper.Hooks[*node]{
	Request: func(p *node, t distributed.Thread, out *distributed.Out) {
		p.tokenRequested = false
		p.Request(t, out)
	},
}

// Each of these flaws has only one half of T1.
var (
	ownerOnly     = onToken(func(p *node) { p.probOwner = p.pid })
	requestedOnly = onToken(func(p *node) { p.tokenRequested = false })
)

func onToken(first func(p *node)) tamper.Hooks[*node] {
	return tamper.Hooks[*node]{Receive: func(p *node, m distributed.Message, out *distributed.Out) {
		if m.Kind == distributed.Token {
			first(p)
		}
		p.Receive(m, out)
	}}
}
