package failover

import (
	"fmt"
	"slices"

	"shmbench/distributed"
)

// This file has the coordinator and the voter of reign.

func (p *reign) enqueue(j distributed.ID, out *distributed.Out) {
	there := p.holder == j
	for k := range p.queue.Len() {
		there = there || p.queue.At(k) == j
	}
	if !there {
		p.queue.Push(j)
		p.serve(out)
	}
}

// free notes that node j has left its critical section, if j is the holder.
func (p *reign) free(j distributed.ID, out *distributed.Out) {
	if p.holder == j { // C8
		p.holder = distributed.None
		out.Cancel(timerHolder)
		p.serve(out)
	}
}

func (p *reign) serve(out *distributed.Out) {
	if p.holder != distributed.None || p.round != quiet || p.queue.Len() == 0 {
		return
	}
	p.round = claiming // C3
	out.Set(timerRound, 2)
	for _, v := range p.voters {
		if v != p.me {
			p.to(v, distributed.Claim, p.me, out)
		}
	}
	if p.votes() {
		p.voteFor(p.me, out)
		p.answer(p.me, p.vote, out)
	}
}

// votes reports whether this node is a voter.
func (p *reign) votes() bool { return p.me <= p.voters[len(p.voters)-1] }

// end ends a round.
func (p *reign) end(next round) {
	p.round = next
	for k := range p.answers {
		p.answers[k] = unknown
	}
}

// answer handles the answer of voter v: the owner of its vote.
func (p *reign) answer(v, whose distributed.ID, out *distributed.Out) {
	if p.round != claiming {
		return
	}
	k := slices.Index(p.voters, v)
	if k < 0 {
		panic(fmt.Sprintf("node %d has no vote", v))
	}
	p.answers[k] = whose
	if 2*p.count(p.me) > len(p.voters) {
		p.end(quiet)
		out.Cancel(timerRound)
		p.grant(out)
	} else if p.count(unknown) == 0 {
		p.lost(out)
	}
}

// count returns how many votes node j has.
func (p *reign) count(j distributed.ID) (votes int) {
	for _, whose := range p.answers {
		if whose == j {
			votes++
		}
	}
	return votes
}

func (p *reign) grant(out *distributed.Out) {
	j := p.queue.Pop()                   // C4
	for j == p.me && p.phase != asking { // another has granted what it asked for here
		if p.queue.Len() == 0 {
			return
		}
		j = p.queue.Pop()
	}
	p.holder = j
	if j == p.me {
		p.enter(p.me, out)
		return
	}
	p.to(j, distributed.Grant, p.me, out)
	out.Set(timerHolder, p.lease+2)
}

// lost ends a round without a majority.
func (p *reign) lost(out *distributed.Out) {
	o := p.me // C5
	for _, whose := range p.answers {
		if whose >= 0 && (2*p.count(whose) > len(p.voters) || 2*p.count(o) <= len(p.voters) && whose < o) {
			o = whose
		}
	}
	if o == p.me { // C7
		p.end(pausing)
		out.Set(timerRound, 2)
		return
	}
	p.end(quiet) // C6
	out.Cancel(timerRound)
	mine := false
	for p.queue.Len() > 0 {
		if j := p.queue.Pop(); j == p.me {
			mine = p.phase == asking
		} else {
			p.to(j, distributed.Moved, o, out)
		}
	}
	if mine {
		p.ask(o, out)
	}
}

// voteFor gives node j this node's vote, if it can, and returns the answer.
func (p *reign) voteFor(j distributed.ID, out *distributed.Out) distributed.Kind {
	if p.mute || p.vote != distributed.None && p.vote != j {
		return distributed.Refused // V2
	}
	p.vote = j // V1
	out.Set(timerVote, p.lease+6)
	return distributed.OK
}
