package token

import (
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/internal/tamper"
)

// lecture is Suzuki and Kasami's algorithm as stated in Smruti R. Sarangi, Mutual
// Exclusion: Tokenless and Token Based Algorithms, lecture, "Requesting the
// Lock" and "Releasing the Lock":
//
//	request: seq[i]++; send (i, seq[i]) to all; enter when the token is here
//	(j, m):  seq[j] := max(seq[j], m)
//	         if the token is here and idle and seq[j] = C[j] + 1: send it to j
//	release: C[i] := seq[i]; for all j with seq[j] = C[j] + 1: append j to Q
//	         remove the head of Q; send the token to it
//
// The paper appends j only "if j is not in Q" (L2 of [suzukiKasami]). Without that test a
// node can stand in Q twice. The second time the token goes to it, or stays with it,
// although it has no request: the others in Q wait until it asks again. It also
// broadcasts when it has the token (R2), which makes the holder's own entry cost n−1
// messages and not the 0 of the same slide. The lecture does not define the case of an
// empty Q; here the token then stays.
var lecture = tamper.Mutant(SuzukiKasami, "suzuki-kasami-lecture", "the release as a lecture states it: nodes that are in Q already are appended too", tamper.Hooks[*suzukiKasami]{
	Request: func(p *suzukiKasami, t distributed.Thread, out *distributed.Out) {
		if p.local.Add(t) {
			p.requestLikeLecture(out)
		}
	},
	Receive: func(p *suzukiKasami, m distributed.Message, out *distributed.Out) {
		if m.Kind == distributed.Token && p.local.Len() == 0 {
			p.token = m.Body // and no thread here wants it
		} else {
			p.Receive(m, out)
		}
	},
	Release: func(p *suzukiKasami, _ distributed.Thread, out *distributed.Out) {
		p.token[p.i] = p.rn[p.i]
		for j := range p.rn {
			if p.rn[j] == p.token[j]+1 {
				p.token = append(p.token, int64(j))
			}
		}
		if len(p.token) > p.n {
			head := distributed.ID(p.token[p.n])
			p.token = slices.Delete(p.token, p.n, p.n+1)
			if head != p.i {
				p.send(head, out)
			}
		}
		p.requesting = false
		if p.local.Remove() {
			p.requestLikeLecture(out)
		}
	},
})

func (p *suzukiKasami) requestLikeLecture(out *distributed.Out) {
	p.requesting = true
	p.rn[p.i]++
	out.Broadcast(distributed.Message{Kind: distributed.Request, From: p.i, Who: p.i, Stamp: p.rn[p.i]}, p.n)
	if p.token != nil {
		out.Grant(p.local.Head())
	}
}
