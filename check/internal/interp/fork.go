package interp

import "context"

// Fork returns a copy of a machine on which no lock has been built, as it is now:
// packages are initialized once, and each fork builds a lock of its own. It stops
// with ctx's error when ctx is done. A machine and its forks share what they work out
// of functions and types, and are to be used by one goroutine.
func (m *Machine) Fork(ctx context.Context) *Machine {
	f := *m
	f.ctx, f.mem, f.uses, f.heap = ctx, m.mem.clone(), newUses(), newHeap()
	return &f
}

// Finish lets the machine take the further steps of a trace when its context is done.
func (m *Machine) Finish() { m.ctx = context.WithoutCancel(m.ctx) }
