package explore

// Forget makes persistent sets ignore that steps on a register depend on each other.
func (p *Persistent) Forget(register int) { p.independent[register] = true }
