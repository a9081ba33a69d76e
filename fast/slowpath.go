package fast

import (
	"slices"

	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/tournament"
)

// SlowPath is the way of a process that the fast path does not let in.
type SlowPath struct {
	// Lock is the specification of a lock for n processes.
	Lock func(shm.Layout, shm.Stores) shm.Algorithm
	// Join is the specification of the lock for two in which the process that holds that lock
	// meets the process of the fast path.
	Join func(shm.Layout, shm.Stores) shm.Algorithm
}

// petersons is the slow path of the catalog: n Peterson's locks in all, with the join.
var petersons = SlowPath{Lock: tournament.PetersonBuhr, Join: peterson.Peterson}

// space is the registers of a lock with this slow path: its own, those of the slow lock, and
// those of the join. A register of the join that has one writer there has several here.
func (s SlowPath) space(own shm.Space) shm.Space {
	all := append(own, s.Lock(shm.Packed, shm.Sequential).Space...)
	for _, r := range s.Join(shm.Packed, shm.Sequential).Space {
		r.Count, r.Values, r.SingleWriter = shm.Const(r.Count.Of(2)), shm.Const(r.Values.Of(2)), false
		i := slices.IndexFunc(all, func(k shm.Registers) bool { return k.Name == r.Name })
		if i < 0 {
			all = append(all, r)
			continue
		}
		of := all[i].Count
		all[i].Count = shm.Formula{
			Text: of.Text + "+" + r.Count.Text,
			At:   func(n int) int { return of.Of(n) + r.Count.Of(n) },
		}
	}
	return all
}

// lock returns the slow lock for n processes. Its stores are sequentially consistent: a
// process on the slow path has met another one, and waits anyway.
func (s SlowPath) lock(n int, layout shm.Layout) (shm.Mutex, error) {
	return s.Lock(layout, shm.Sequential).New(n)
}

// join returns a join.
func (s SlowPath) join(layout shm.Layout, stores shm.Stores) (shm.Mutex, error) {
	return s.Join(layout, stores).New(2)
}
