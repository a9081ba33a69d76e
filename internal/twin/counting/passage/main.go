// Passage prints, as JSON by name of the lock, how many atomic loads, stores and
// read-modify-writes one passage of one process makes, by the names of the
// operations: "store-bool", "release-bool", "cas-pointer". It sees them only when
// the locks are built with package twin in the place of sync/atomic and of
// package register.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"shmbench/catalog"
	"shmbench/internal/twin"
)

var names = map[twin.Op]string{
	twin.OpLoad: "load", twin.OpStore: "store", twin.OpStoreRelease: "release", twin.OpSwap: "swap", twin.OpCompareAndSwap: "cas", twin.OpAdd: "add", twin.OpAnd: "and", twin.OpOr: "or",
}

func main() {
	var counts map[string]int
	twin.Before = func(a twin.Access) {
		kind := a.Type.Kind().String()
		if a.Type.Kind() == reflect.Pointer {
			kind = "pointer"
		}
		counts[names[a.Op]+"-"+kind]++
	}
	all := map[string]map[string]int{}
	for _, a := range catalog.All() {
		counts = map[string]int{}
		lock, err := a.New(1)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for range 2 { // the first passage may find the lock as New made it
			counts = map[string]int{}
			lock.Lock(0)
			lock.Unlock(0)
		}
		all[a.Name] = counts
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
