package bench

import (
	_ "embed"
	"encoding/json"

	"shmbench/shm"
)

// AccessesProcs is the number of processes of the locks whose Accesses are counted.
// A lock that cannot have so many is counted with the most that it can have.
const AccessesProcs = 8

// Accesses counts the atomic operations of one uncontended passage of process 0, in a
// lock for AccessesProcs processes. A store with release order counts as a store. A
// failed compare-and-swap counts as a read-modify-write.
type Accesses struct {
	Loads  int `json:"loads"`
	Stores int `json:"stores"`
	RMWs   int `json:"rmws"`
}

//go:embed accesses.json
var accessesJSON []byte

// accesses maps the countedName of a lock to its Accesses. They are counted as ownAtomics
// are.
var accesses = func() (counts map[string]Accesses) {
	if err := json.Unmarshal(accessesJSON, &counts); err != nil {
		panic(err)
	}
	return counts
}()

// AccessesOf returns the accesses of an algorithm. It returns false if they have
// not been counted; "go generate ./bench" counts them.
func AccessesOf(a shm.Algorithm) (Accesses, bool) {
	n, ok := accesses[countedName(a)]
	return n, ok
}
