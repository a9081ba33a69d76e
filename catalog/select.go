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
	for _, a := range Absent() {
		if a.Name == name {
			return shm.Algorithm{}, fmt.Errorf("no algorithm %q on this platform: %s", name, a.Reason)
		}
	}
	return shm.Algorithm{}, fmt.Errorf("no algorithm %q", name)
}
