package automaton

import (
	"crypto/sha256"
	"fmt"
)

// Digest is the same for models with the same states and steps, in the same order.
func (m *Model) Digest() string {
	h := sha256.New()
	for _, r := range m.Regs {
		fmt.Fprintln(h, len(r.Values), r.Decided)
	}
	for _, p := range m.Procs {
		fmt.Fprintln(h, "process", p.Init)
		for _, l := range p.Local {
			fault := l.Fault != nil
			l.Fault = nil // a pointer
			fmt.Fprintln(h, l, fault)
		}
	}
	if m.Heap != nil {
		fmt.Fprintln(h, *m.Heap)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}
