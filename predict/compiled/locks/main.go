// Locks runs the locks of the catalog on a modeled machine. "shmbench predict" builds it
// with the twin in the place of sync/atomic, and asks it.
package main

import (
	"slices"

	"shmbench/catalog"
	"shmbench/predict/compiled"
	"shmbench/shm"
)

func main() { compiled.Serve(find) }

// find returns the lock of a trial. The processes of a lock for several nodes are on the
// nodes of the modeled machine.
func find(t compiled.Trial) (shm.Algorithm, error) {
	all := catalog.On(t.Machine.Nodes)
	if i := slices.IndexFunc(all, func(a shm.Algorithm) bool { return a.Name == t.Lock }); i >= 0 {
		return all[i], nil
	}
	return catalog.Get(t.Lock)
}
