package lease

import (
	"shmbench/distributed"
	"shmbench/distributed/internal/tamper"
)

// Mutants lists the algorithm of this package, once with each flaw.
var Mutants = []distributed.Algorithm{
	tamper.Mutant(Register, "lease-register-no-fence", "a resource that takes every write, also one after the lease", tamper.Hooks[*register]{
		Receive: func(p *register, m distributed.Message, out *distributed.Out) {
			if m.Kind == distributed.Write {
				p.high, p.last = max(p.high, m.Stamp), m.Stamp
				return
			}
			p.Receive(m, out)
		},
	}),
	tamper.Mutant(Register, "lease-register-no-margin", "a register whose lease ends when the client's does, counted from when each begins", tamper.Hooks[*register]{
		Receive: func(p *register, m distributed.Message, out *distributed.Out) {
			p.Receive(m, out)
			p.shorten(out)
		},
		Expire: func(p *register, t distributed.TimerID, out *distributed.Out) {
			p.Expire(t, out)
			p.shorten(out)
		},
	}),
	tamper.Mutant(Register, "lease-register-no-lease", "a register that waits forever for its owner", tamper.Hooks[*register]{
		Expire: func(p *register, t distributed.TimerID, out *distributed.Out) {
			if p.me != theRegister {
				p.Expire(t, out)
			}
		},
	}),
}

// shorten gives the register's lease the length of the client's.
func (p *register) shorten(out *distributed.Out) {
	for k := range out.Timers {
		if t := &out.Timers[k]; p.me == theRegister && t.After > 0 {
			t.After = p.lease
		}
	}
}
