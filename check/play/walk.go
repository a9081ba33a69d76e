package play

import (
	"fmt"
	"strings"

	"shmbench/check/internal/execution"
	"shmbench/check/internal/explored"
)

// Walk makes a random execution of one machine of the document, with the code that check
// -replay steps with. It calls each with a line for each step: the actors that could step,
// the step as a trace has it, and sections, registers and store buffers after it. If no
// process can step, the execution begins again.
func (l *Lock) Walk(machine int, seed uint32, steps int, each func(line string)) error {
	x := l.explored[machine].lock
	sys := x.Graph.Sys
	begin := make([]uint64, sys.Words())
	sys.Initial(begin)
	state, out := append([]uint64(nil), begin...), make([]uint64, sys.Words()*sys.Actors())
	run := x.Begin()
	for range steps {
		enabled, _ := sys.Expand(state, out)
		if enabled == 0 {
			copy(state, begin)
			run = x.Begin()
			each("again")
			continue
		}
		actors := members(enabled)
		seed = next(seed)
		actor := actors[int(seed%uint32(len(actors)))]
		step, err := execution.MakeStep(run, actor)
		if err != nil {
			return err
		}
		copy(state, out[actor*len(state):][:len(state)])
		each(line(x, actors, actor, step, state))
	}
	return nil
}

// next is Marsaglia's xorshift of 32 bits.
func next(seed uint32) uint32 {
	seed ^= seed << 13
	seed ^= seed >> 17
	return seed ^ seed<<5
}

// line is a step and what is there after it, in words.
func line(x *explored.Lock, actors []int, actor int, s execution.Step, state []uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %v: %d %s %s |%s|%s|%s|%s:%d %s %s %s %v %v;", actor, actors, s.Process, s.Op, s.Register, s.Before, s.After, strings.Join(s.May, " or "),
		s.File, s.Line, s.Label, s.Section, s.Turn, s.Buffered, s.Plain)
	for pid := range x.N {
		fmt.Fprintf(&b, " %s", x.Sys.Local(state, pid).Section)
	}
	for r, reg := range x.Learned.Model.Regs {
		fmt.Fprintf(&b, " %s", x.Names.Value(reg.At, reg.Values[x.Sys.Regs[r].Of(state)]))
	}
	for pid := range x.N {
		for reg, value := range x.Memory.Pending(state, pid) {
			fmt.Fprintf(&b, " %d:%d=%d", pid, reg, value)
		}
	}
	return b.String()
}
