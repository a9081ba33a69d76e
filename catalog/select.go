package catalog

import (
	"fmt"

	"shmbench/shm"
)

// Get returns the algorithm called name.
func Get(name string) (shm.Algorithm, error) {
	for _, a := range All() {
		if a.Name == name {
			return a, nil
		}
	}
	return shm.Algorithm{}, fmt.Errorf("no lock %q", name)
}
