package explore

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"

	"shmbench/check/internal/symmetry"
)

// Quotient is a system whose states are those of another one up to a group of symmetries. The
// state that is visited of each orbit is the least. A state that is visited may itself be unreachable
// if a symmetry moves the initial state; another state of its orbit is reachable.
type Quotient struct {
	*SC
	steps  System // the system itself, or one with fewer steps
	group  []symmetry.Renaming
	chunks []chunk
	images [][]uint64   // by symmetry: what becomes of each value of each chunk
	least  [][]int32    // by process and local state: the least that it can be of process 0
	by     [][][]uint16 // the symmetries that make it so
}

// chunk is some fields of a state that are next to one another.
type chunk struct {
	Field
	fields []field
	image  int // where its images begin
}

// field is the local state of a process, or else the value of a register.
type field struct {
	Field
	process bool
	number  int
}

// chunkBits bounds chunks of several fields.
const chunkBits = 6

// NewQuotient returns a system up to a group of symmetries of its model. Its steps are those of a system with the same
// states.
func NewQuotient(sc *SC, steps System, group []symmetry.Renaming) *Quotient {
	q := &Quotient{SC: sc, steps: steps, group: group}
	for pid, f := range sc.Procs {
		q.pack(field{f, true, pid})
	}
	for r, f := range sc.Regs {
		q.pack(field{f, false, r})
	}
	size := 0
	for i := range q.chunks {
		q.chunks[i].image = size
		size += int(q.chunks[i].Mask+1) * sc.words
	}
	for k := range group {
		images := make([]uint64, size)
		for _, c := range q.chunks {
			for v := range c.Mask + 1 {
				q.image(&group[k], &c, v, images[c.image+int(v)*sc.words:][:sc.words])
			}
		}
		q.images = append(q.images, images)
	}
	q.order()
	return q
}

// pack adds a field to the chunks.
func (q *Quotient) pack(f field) {
	if last := len(q.chunks) - 1; last >= 0 {
		c := &q.chunks[last]
		if mask := c.Mask | f.Mask<<(f.Shift-c.Shift); c.Word == f.Word && mask < 1<<chunkBits {
			c.Mask, c.fields = mask, append(c.fields, f)
			return
		}
	}
	q.chunks = append(q.chunks, chunk{Field: f.Field, fields: []field{f}})
}

// image writes what becomes of value v of a chunk. Values that no state has become anything.
func (q *Quotient) image(g *symmetry.Renaming, c *chunk, v uint64, to []uint64) {
	for _, f := range c.fields {
		old := int(v >> (f.Shift - c.Shift) & f.Mask)
		names, place := g.Values, Field{}
		if f.process {
			names, place = g.Locals, q.Procs[g.Procs[f.number]]
		} else {
			place = q.Regs[g.Regs[f.number]]
		}
		if old < len(names[f.number]) && place.Mask > 0 {
			to[place.Word] |= uint64(names[f.number][old]) << place.Shift
		}
	}
}

// order finds which symmetries give process 0 the least local state that it can have.
func (q *Quotient) order() {
	for pid, p := range q.Model.Procs {
		least, by := slices.Repeat([]int32{math.MaxInt32}, len(p.Local)), make([][]uint16, len(p.Local))
		for k, g := range q.group {
			if g.Procs[pid] != 0 {
				continue
			}
			for s, as := range g.Locals[pid] {
				if as < least[s] {
					least[s], by[s] = as, by[s][:0]
				}
				if as == least[s] {
					by[s] = append(by[s], uint16(k))
				}
			}
		}
		q.least, q.by = append(q.least, least), append(q.by, by)
	}
}

// Order returns how many symmetries there are, with the identity.
func (q *Quotient) Order() int { return len(q.group) }

// Digest is that of the model, its steps and the symmetries.
func (q *Quotient) Digest() string {
	return fmt.Sprintf("%s up to %x", q.steps.(Digester).Digest(), sha256.Sum256(fmt.Append(nil, q.group)))
}

// Initial writes the state that stands for the initial one.
func (q *Quotient) Initial(s []uint64) {
	q.SC.Initial(s)
	q.reduce(s)
}

// Expand makes each process's next access.
func (q *Quotient) Expand(s, out []uint64) (enabled uint64, bad Bad) {
	enabled, bad = q.steps.Expand(s, out)
	for a := range q.Actors() {
		if to := out[a*q.words:][:q.words]; enabled>>a&1 != 0 && !slices.Equal(s, to) {
			q.reduce(to)
		}
	}
	return enabled, bad
}

// reduce replaces a state by the least of its orbit, the one with the least local state of process 0, and
// of those the first. It returns the symmetry that leads there.
func (q *Quotient) reduce(s []uint64) (by uint16) {
	var room [8]uint64
	best, to := append(room[:0:4], s...), append(room[4:4:8], s...)
	least := int32(math.MaxInt32)
	for pid, f := range q.Procs {
		least = min(least, q.least[pid][f.Of(s)])
	}
	first := true
	for pid, f := range q.Procs {
		local := f.Of(s)
		if q.least[pid][local] != least {
			continue
		}
		for _, k := range q.by[pid][local] {
			if q.rename(int(k), s, to); first || slices.Compare(to, best) < 0 {
				best, to, by, first = to, best, k, false
			}
		}
	}
	copy(s, best)
	return by
}

// rename writes what a symmetry makes of a state.
func (q *Quotient) rename(k int, s, to []uint64) {
	clear(to)
	images := q.images[k]
	for i := range q.chunks {
		c := &q.chunks[i]
		at := c.image + int(s[c.Word]>>c.Shift&c.Mask)*len(to)
		for w, bits := range images[at : at+len(to)] {
			to[w] |= bits
		}
	}
}
