package compiled

import (
	"fmt"

	"shmbench/internal/build/twin"
	"shmbench/internal/cli/words"
	"shmbench/shm"
)

// References are the most remote memory references that a passage made in the run, with coherent
// caches: a lower bound on the worst case. A copy of the register counts, and not of its line,
// as in package check. A register that no other process has accessed is not shared yet.
type References struct {
	WriteThrough int `json:"cc_write_through"`
	WriteBack    int `json:"cc_write_back"`
}

// coherence counts the remote memory references of passages.
type coherence struct {
	copies map[uintptr]*copied
	now    []References // by process: of its passage
	most   References
}

// copied is which processes have a copy of a register.
type copied struct {
	by        map[int]bool
	exclusive int  // the process that wrote last, if no other has read since; -1 for none
	first     int  // the first process that accessed it
	shared    bool // another process has accessed it
}

func newCoherence(procs int) *coherence {
	return &coherence{copies: map[uintptr]*copied{}, now: make([]References, procs)}
}

// begin begins a passage of a process.
func (c *coherence) begin(process int) { c.now[process] = References{} }

// access notes an access by a process.
func (c *coherence) access(process int, at uintptr, op twin.Op) {
	r := c.copies[at]
	if r == nil {
		r = &copied{by: map[int]bool{}, exclusive: -1, first: process}
		c.copies[at] = r
	}
	r.shared = r.shared || process != r.first
	through, back := r.access(process, op)
	if !r.shared {
		return
	}
	now := &c.now[process]
	if through {
		now.WriteThrough++
	}
	if back {
		now.WriteBack++
	}
	c.most.WriteThrough = max(c.most.WriteThrough, now.WriteThrough)
	c.most.WriteBack = max(c.most.WriteBack, now.WriteBack)
}

// access makes an access, and reports whether it is remote with write-through and with
// write-back. An access that can write counts as a write.
func (r *copied) access(process int, op twin.Op) (through, back bool) {
	if op == twin.OpLoad {
		missing := !r.by[process]
		if missing {
			r.exclusive = -1
		}
		r.by[process] = true
		return missing, missing
	}
	back = r.exclusive != process
	clear(r.by)
	r.by[process], r.exclusive = true, process
	return true, back
}

// refuted says which formula of a specification the run refutes, or is empty. The formulas are of sequential
// stores, and of the nodes that a lock is built for by itself.
func (c *coherence) refuted(a shm.Algorithm, t Trial) string {
	if a.Stores != shm.Sequential || t.Topology != "" {
		return ""
	}
	for m, most := range map[shm.RMRModel]int{shm.WriteThrough: c.most.WriteThrough, shm.WriteBack: c.most.WriteBack} {
		if f := a.Claims.References.In(m); f != nil {
			if claimed := f.Of(t.Workload.Procs); claimed >= 0 && most > claimed {
				return fmt.Sprintf("a passage made %s (%s), the specification says at most %d (%v)", words.Counted(most, "remote memory reference", "remote memory references"), m, claimed, f)
			}
		}
	}
	return ""
}
