package permission

import (
	"slices"

	"shmbench/distributed"
)

// asks takes a request for this node's vote.
func (p *maekawa) asks(r request, out *distributed.Out) {
	if p.lock == (request{}) { // Q1
		p.lock = r
		p.send(distributed.Locked, r.node, r.stamp, out)
		return
	}
	if p.lock.before(r) || len(p.queue) > 0 && p.queue[0].before(r) { // Q2
		p.enqueue(r)
		p.send(distributed.Failed, r.node, r.stamp, out)
		return
	}
	if !p.inquired { // Q3
		p.inquired = true
		p.send(distributed.Inquire, p.lock.node, p.lock.stamp, out)
	}
	if len(p.queue) > 0 && p.queue[0].before(p.lock) { // Q4
		p.send(distributed.Failed, p.queue[0].node, p.queue[0].stamp, out)
	}
	p.enqueue(r)
}

func (p *maekawa) enqueue(r request) {
	at := len(p.queue)
	for at > 0 && r.before(p.queue[at-1]) {
		at--
	}
	p.queue = slices.Insert(p.queue, at, r)
}

// over takes back the vote of request r, or r from the queue.
func (p *maekawa) over(r request, out *distributed.Out) {
	if p.lock == r {
		p.vote(out)
	} else {
		p.queue = slices.DeleteFunc(p.queue, func(q request) bool { return q == r })
	}
}

// vote locks for the head of the queue, if there is one.
func (p *maekawa) vote(out *distributed.Out) {
	p.lock, p.inquired = request{}, false
	if len(p.queue) > 0 {
		p.lock = p.queue[0]
		p.queue = slices.Delete(p.queue, 0, 1)
		p.send(distributed.Locked, p.lock.node, p.lock.stamp, out)
	}
}
