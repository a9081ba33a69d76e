package check

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/explored"
	"shmbench/check/internal/interp"
	"shmbench/shm"
	"shmbench/shm/futex"
)

// used is what processes do with one register.
type used struct {
	readers, writers uint64
	values           int
	owner            int // by the specification, or -1
}

// home is the process in whose memory the register is: by the specification, or else the
// one that reads it, or else the one that writes it, or -1.
func (u used) home() int {
	if u.owner >= 0 {
		return u.owner
	}
	for _, who := range []uint64{u.readers, u.writers} {
		if bits.OnesCount64(who) == 1 {
			return bits.TrailingZeros64(who)
		}
	}
	return -1
}

// registerUse is which registers are accessed, how, and by which processes.
type registerUse struct {
	used  []used // by register
	kinds []Registers
	class shm.Class
}

// registers finds which registers are accessed, how, and by which processes, in the
// states that can be reached.
func registers(x *explored.Lock) *registerUse {
	use := make([]used, len(x.Learned.Model.Regs))
	visited, values := x.Sys.Occurring(x.Graph, x.Opts.Workers)
	for r, occurs := range values {
		use[r].owner = ownerOf(x.Source.Spec, x.Names.Cell(x.Learned.Model.Regs[r].At))
		for _, v := range occurs {
			if v {
				use[r].values++
			}
		}
	}
	var class shm.Class
	for pid, p := range x.Learned.Model.Procs {
		for s, l := range p.Local {
			if !visited[pid][s] || l.Reg < 0 || l.Kind == 0 {
				continue
			}
			if l.Kind&automaton.Reads != 0 {
				use[l.Reg].readers |= 1 << pid
			}
			if l.Kind&automaton.Writes != 0 {
				use[l.Reg].writers |= 1 << pid
			}
			for _, m := range p.Members[s] {
				// What only a call does that may fail is not needed.
				if st := x.Learned.Learner.Procs[pid].States[m]; !st.Mode.MayFail() {
					class |= classIn(x, l.Reg, st.Access)
				}
			}
		}
	}
	return &registerUse{use, kinds(x, use), class}
}

// ownerOf is the process in whose memory a register is by the specification: its last index,
// or -1.
func ownerOf(spec *shm.Algorithm, name string) int {
	if spec == nil || !slices.ContainsFunc(spec.Space, func(k shm.Registers) bool { return k.Own && k.Name == explored.KindName(name) }) {
		return -1
	}
	index, _, _ := strings.Cut(name[strings.LastIndexByte(name, '[')+1:], "]")
	if pid, err := strconv.Atoi(index); err == nil {
		return pid
	}
	return -1
}

// classIn returns which read-modify-write operation an access to a register is. Those to
// the model of a futex are the futex.
func classIn(x *explored.Lock, register int32, a *interp.Access) shm.Class {
	if explored.KindName(x.Names.Cell(x.Learned.Model.Regs[register].At)) == futex.Register {
		return shm.Futex
	}
	return classOf(a)
}

// classOf returns which read-modify-write operation an access is.
func classOf(a *interp.Access) shm.Class {
	switch a.Op {
	case interp.Swap:
		if a.Bool && a.Arg == interp.Num(1) {
			return shm.TestAndSet
		}
		return shm.Swap
	case interp.CompareAndSwap:
		return shm.CompareAndSwap
	case interp.Add:
		return shm.FetchAndAdd
	case interp.And, interp.Or:
		return shm.FetchAndOr
	}
	return shm.ReadWrite
}

// kinds groups registers by the last part of their names.
func kinds(x *explored.Lock, use []used) []Registers {
	var kinds []Registers
	for r, u := range use {
		if u.readers|u.writers == 0 {
			continue
		}
		name := explored.KindName(x.Names.Cell(x.Learned.Model.Regs[r].At))
		i := slices.IndexFunc(kinds, func(k Registers) bool { return k.Name == name })
		if i < 0 {
			i = len(kinds)
			kinds = append(kinds, Registers{Name: name, SingleWriter: true})
		}
		k := &kinds[i]
		k.Count++
		k.Forgotten = k.Forgotten || x.Learned.Learner.M.Forgotten(x.Learned.Model.Regs[r].At)
		k.Values = max(k.Values, u.values)
		k.Unbounded = k.Unbounded || slices.ContainsFunc(x.Learned.Model.Regs[r].Values, func(v interp.Value) bool {
			_, counts := v.(interp.Count)
			return counts
		})
		for cell := range x.Learned.Unbounded {
			k.Unbounded = k.Unbounded || explored.KindName(cell) == name
		}
		k.SingleWriter = k.SingleWriter && bits.OnesCount64(u.writers) <= 1
	}
	return kinds
}
