// Package dijkstra holds the locks for n processes that began with Dijkstra's of 1965: his
// own, and those of Knuth, de Bruijn, and Eisenberg and McGuire. Each has a smaller bound on
// waiting than the one before it.
package dijkstra

import (
	"fmt"

	"shmbench/shm"
	"shmbench/shm/register"
)

// The values of control[i].
const (
	outside = iota // it does not want to enter
	wants          // it waits for its turn
	goesIn         // it looks whether anybody else goes in, or is critical
)

// controls are the registers of the three locks that came after Dijkstra's, and their two
// common ways to read them.
type controls struct {
	released bool
	n        int
	control  shm.Array[register.Uint32]
	k        *register.Uint32
}

func newControls(b shm.Build) controls {
	k := shm.NewArray[register.Uint32](1, b.Layout)
	return controls{
		released: b.Released,
		n:        b.N,
		control:  shm.NewArray[register.Uint32](b.N, b.Layout),
		k:        k.At(0),
	}
}

// controlSpace is their space.
var controlSpace = shm.Space{
	{Name: "control", Count: shm.N, Values: shm.Const(3), SingleWriter: true},
	{Name: "k", Count: shm.Const(1), Values: shm.N},
}

// turn reports whether no process wants to enter from process k on, in steps of step, up to
// the one before process i.
func (c *controls) turn(i, step int) bool {
	for j := int(c.k.Load()); j != i; j = c.next(j, step) { // 2
		if c.control.At(j).Load() != outside { // 2
			return false
		}
	}
	return true
}

// alone reports whether no other process than i is entering or in its critical section.
func (c *controls) alone(i int) bool {
	for j := range c.n {
		if j != i && c.control.At(j).Load() == goesIn { // 4
			return false
		}
	}
	return true
}

// next returns the process that follows j, 1 or -1 further on.
func (c *controls) next(j, step int) int { return (j + step + c.n) % c.n }

// goingIn is the lemma from which exclusion follows in all three: the control of a process in
// its critical section is 2. The control of a process in its remainder section is 0.
func goingIn(source shm.Source) []shm.Invariant {
	source.Author = "after " + source.Author
	return []shm.Invariant{{Name: "control", Source: source, Holds: func(v shm.View) error {
		for i := range v.N() {
			control, section := v.Int("control", i), v.Section(i)
			if section == shm.Critical && control != goesIn || section == shm.Remainder && control != outside {
				return fmt.Errorf("process %d has control[%d] = %d in its %v section", i, i, control, section)
			}
		}
		return nil
	}}}
}
