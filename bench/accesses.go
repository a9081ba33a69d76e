package bench

import (
	_ "embed"
	"encoding/json"

	"shmbench/shm"
)

// AccessesProcs is the number of processes of the locks whose Accesses are counted,
// as far as they can have so many.
const AccessesProcs = 8

// Accesses is how many atomic operations process 0 makes in a passage while no process
// else comes, in a lock for AccessesProcs processes. A store with release order is a
// store, and a compare-and-swap that fails a read-modify-write.
type Accesses struct {
	Loads  int `json:"loads"`
	Stores int `json:"stores"`
	RMWs   int `json:"rmws"`
}

//go:embed accesses.json
var accessesJSON []byte

// accesses are counted as ownAtomics are.
var accesses = func() (counts map[string]Accesses) {
	if err := json.Unmarshal(accessesJSON, &counts); err != nil {
		panic(err)
	}
	return counts
}()

// AccessesOf returns the accesses of an algorithm, if anybody has counted them; "go
// generate ./bench" does.
func AccessesOf(a shm.Algorithm) (Accesses, bool) {
	n, ok := accesses[countedName(a)]
	return n, ok
}
