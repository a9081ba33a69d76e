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

// locks returns the slow lock for the n processes of an algorithm, and a join for each of k
// fast paths. The stores of the slow lock are sequentially consistent: a process on the slow
// path has met another one, and waits anyway.
func (s SlowPath) locks(algorithm string, n, k int, layout shm.Layout, stores shm.Stores) (slow shm.Mutex, joins []shm.Mutex, err error) {
	if err := shm.CheckProcs(algorithm, n, 1, shm.MaxProcs); err != nil {
		return nil, nil, err
	}
	if slow, err = s.Lock(layout, shm.Sequential).New(n); err != nil {
		return nil, nil, err
	}
	joins = make([]shm.Mutex, k)
	for a := range joins {
		if joins[a], err = s.Join(layout, stores).New(2); err != nil {
			return nil, nil, err
		}
	}
	return slow, joins, nil
}
