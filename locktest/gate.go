package locktest

import "sync"

// gate holds a process back until it is opened.
type gate struct {
	once sync.Once
	c    chan struct{}
}

// gates has a gate for each process.
type gates []*gate

func newGates(n int) gates {
	gs := make(gates, n)
	for i := range gs {
		gs[i] = &gate{c: make(chan struct{})}
	}
	return gs
}

func (g *gate) open() { g.once.Do(func() { close(g.c) }) }

func (gs gates) openAll() {
	for _, g := range gs {
		g.open()
	}
}

// wait returns when the gate is open, and whether the crew still goes on.
func (g *gate) wait(c *crew, p *process) bool {
	p.idle.Store(true)
	<-g.c
	p.idle.Store(false)
	return !c.stop.Load()
}
