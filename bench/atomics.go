package bench

import (
	"cmp"
	_ "embed"
	"encoding/json"

	"shmbench/shm"
)

//go:generate go test -run TestOwnAtomics -update

//go:embed atomics.json
var atomicsJSON []byte

// ownAtomics says how many atomic loads, stores and read-modify-writes, by the
// name of the operation as Machine measures it, a lock makes in one passage when
// one process is alone. It is counted in the locks' own source, with sync/atomic
// and package register replaced. A lock whose registers are out of sight (a
// channel, sync.Mutex) makes none, nor does a tree, which has no node for one
// process.
var ownAtomics = func() (counts map[string]map[string]int) {
	if err := json.Unmarshal(atomicsJSON, &counts); err != nil {
		panic(err)
	}
	return counts
}()

// countedName is the name under which a lock's atomics are counted: without its
// layout, which does not change what a passage does, but with its stores.
func countedName(a shm.Algorithm) string {
	name := cmp.Or(a.VariantOf, a.Name)
	if a.Stores == shm.Released {
		name += "-" + a.Stores.String()
	}
	return name
}

// Uncounted returns the names of the algorithms whose own atomics have not been
// counted, so that their samples have no atomics/op: "go generate ./bench"
// counts those of a lock that is new in the catalog.
func Uncounted(algorithms []shm.Algorithm) []string {
	var names []string
	for _, a := range algorithms {
		if name := countedName(a); ownAtomics[name] == nil && name == a.Name {
			names = append(names, name)
		}
	}
	return names
}
