package stress

import (
	"fmt"

	"shmbench/locktest/oracle"
	"shmbench/shm"
)

// execute makes a passage by Execute. Any process may run the critical section, while p
// waits. The oracles are those of a passage by Lock and Unlock. In addition, the request is
// executed once, and its result, which differs from all other results, returns to p.
func (r *runner) execute(p *process, hold func()) {
	p.mode.Store(uint32(shm.Exclusive))
	p.move()
	var err error
	executed, token := 0, p.at.Load()*uint64(r.n)+uint64(p.id)
	result := r.delegate.Execute(p.id, func() uint64 {
		executed++
		p.move()
		if m := p.mark.Load(); m != nil {
			r.resolve(p, m)
		}
		err = r.section.Pass(p.id, hold)
		p.move()
		return token
	})
	p.move()
	p.made++
	p.executed++
	if executed != 1 || result != token {
		r.tally.note(misexecuted, fmt.Sprintf("the request of process %d was executed %d times, and its result was %d, not %d", p.id, executed, result, token))
		r.stop.Store(true)
	}
	r.judge(err)
}

// judge notes what the section has seen.
func (r *runner) judge(err error) {
	if err == nil {
		return
	}
	kind := wordsTorn
	if err.(*oracle.Overlap).Oracle == oracle.Owner {
		kind = ownerSeen
	}
	r.tally.note(kind, err.Error())
	r.stop.Store(true)
}

// delegateFor returns the delegate of the lock for the phases that make their passages by
// Execute, which are half of them, or nil.
func (r *runner) delegateFor(seed uint64) shm.Delegate {
	if d, ok := r.lock.(shm.Delegating); ok && (seed^uint64(r.phases))%2 == 0 {
		return d.Delegate()
	}
	return nil
}
