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

// ownAtomics is the number of atomic loads, stores and read-modify-writes of one
// uncontended passage of each lock. Operations have the names that Machine gives
// them. They are counted in the locks' own source, with sync/atomic and package
// register replaced. A lock whose registers are hidden (a channel, sync.Mutex)
// makes none. A tree makes none either, because it has no node for a single
// process.
var ownAtomics = func() (counts map[string]map[string]int) {
	if err := json.Unmarshal(atomicsJSON, &counts); err != nil {
		panic(err)
	}
	return counts
}()

// countedName returns the name under which a lock's atomics are counted. It leaves
// out the layout, which does not change what a passage does, and keeps the stores.
func countedName(a shm.Algorithm) string {
	name := cmp.Or(a.VariantOf, a.Name)
	if a.Stores == shm.Released {
		name += "-" + a.Stores.String()
	}
	return name
}

// Uncounted returns the names of the algorithms whose own atomics have not been
// counted. Their samples have no atomics/op. "go generate ./bench" counts the
// atomics of locks that are new in the catalog.
func Uncounted(algorithms []shm.Algorithm) []string {
	var names []string
	for _, a := range algorithms {
		if name := countedName(a); ownAtomics[name] == nil && name == a.Name {
			names = append(names, name)
		}
	}
	return names
}
