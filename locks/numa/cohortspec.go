package numa

import (
	"slices"

	"shmbench/shm"
)

// Spec returns the specification of a cohort lock. Its registers, deadlock freedom and
// starvation freedom follow from those of the local and the global lock. On a machine of one
// node it is the specification of the local lock.
func (c Cohort) Spec(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	local, global := c.Local(layout, stores), c.Global(layout, stores)
	a := shm.Algorithm{
		Name:     c.Name,
		Title:    c.Title,
		Source:   cohorting,
		Class:    local.Class,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims:   local.Claims,
		Space:    local.Space,
		Layout:   layout,
		Stores:   stores,
		New:      func(n int) (shm.Mutex, error) { return c.New(n, layout, stores) },
	}
	a.Class |= global.Class
	a.Claims.DeadlockFree = local.Claims.DeadlockFree && global.Claims.DeadlockFree
	a.Claims.StarvationFree = local.Claims.StarvationFree && global.Claims.StarvationFree
	a.Claims.FCFS = false
	a.Claims.Mixed = shm.Mixed{}
	a.Claims.LocalSpin = shm.LocalSpin{CC: local.Claims.LocalSpin.CC && global.Claims.LocalSpin.CC}
	a.Claims.Bypass = whereOne(c.Nodes.count, local.Claims.Bypass)
	if c.Place != "" {
		a.Claims.Place, a.Claims.Placed = c.Place, c.Nodes.others(c.Batch)
	}
	a.Space = c.space(local.Space, global.Space)
	return c.Nodes.orPlain(a, c.Local)
}

// whereOne is the formula of a bound that holds only while count is 1, that is, while all
// processes are on one node.
func whereOne(count func(n int) int, bound shm.Formula) shm.Formula {
	return shm.Formula{Text: bound.Text + " on one node, else unbounded", At: func(n int) int {
		if count(n) == 1 {
			return bound.Of(n)
		}
		return shm.Unbounded
	}}
}

// space lists the registers by name. Registers with the same name in both locks are counted
// together. passed of a node with a single process is private to that process.
func (c Cohort) space(local, global shm.Space) shm.Space {
	var all shm.Space
	for _, r := range slices.Concat(local, global) {
		if named(all, r.Name) != nil {
			continue
		}
		l, g := named(local, r.Name), named(global, r.Name)
		all = append(all, shm.Registers{
			Name:   r.Name,
			Count:  shm.Formula{Text: "those of all locks", At: func(n int) int { return c.sum(n, l, g) }},
			Values: c.values(l, g),
		})
	}
	return append(all, shm.Registers{
		Name:   "passed",
		Count:  shm.Formula{Text: "nodes of several processes", At: c.passes},
		Values: shm.Const(c.Batch),
	})
}

// passes counts the nodes with several processes, if there is a global lock to hand over.
func (c Cohort) passes(n int) int {
	if c.Nodes.count(n) == 1 {
		return 0
	}
	return c.Nodes.shared(n)
}

func named(s shm.Space, name string) *shm.Registers {
	if i := slices.IndexFunc(s, func(r shm.Registers) bool { return r.Name == name }); i >= 0 {
		return &s[i]
	}
	return nil
}

// sum counts the registers of one name in the locks of the nodes and in the global lock, which
// may not have it.
func (c Cohort) sum(n int, local, global *shm.Registers) (count int) {
	_, size := c.Nodes.places(n)
	for _, processes := range size {
		if local != nil && (processes > 1 || local.Name != c.Idle) {
			count += local.Count.Of(processes)
		}
	}
	if global != nil && len(size) > 1 {
		count += global.Count.Of(len(size))
	}
	return count
}

// values is the most values that a register of one name takes in any of the locks.
func (c Cohort) values(local, global *shm.Registers) shm.Formula {
	for _, r := range []*shm.Registers{local, global} {
		if r != nil && r.Values.Of(2) == shm.Unbounded {
			return shm.Formula{}
		}
	}
	return shm.Formula{Text: "the most of one lock", At: func(n int) (most int) {
		_, size := c.Nodes.places(n)
		if local != nil {
			for _, processes := range size {
				most = max(most, local.Values.Of(processes))
			}
		}
		if global != nil && len(size) > 1 {
			most = max(most, global.Values.Of(len(size)))
		}
		return most
	}}
}
