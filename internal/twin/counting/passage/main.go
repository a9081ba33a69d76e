// Passage prints, as JSON by name of the lock, how many atomic stores and
// read-modify-writes one passage of one process makes. It sees them only when
// it is built with package counting in the place of sync/atomic.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"shmbench/catalog"
	"shmbench/internal/twin/counting"
)

func main() {
	all := map[string]map[string]int{}
	for _, a := range catalog.All() {
		lock, err := a.New(1)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for range 2 { // the first passage may find the lock as New made it
			counting.Reset()
			lock.Lock(0)
			lock.Unlock(0)
		}
		all[a.Name] = counting.Counts()
		counting.Reset() // building the next lock is no part of it
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
