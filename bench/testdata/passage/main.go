// Passage counts how many atomic loads, stores and read-modify-writes a passage of process 0
// makes while no other process comes. It prints them as JSON, by name of the lock and of the
// operation: "store-bool", "release-bool", "cas-pointer". Its argument is the number of
// processes that the locks are built for, as far as they allow so many. It sees the
// operations only if the locks are built with package twin in the place of sync/atomic and of
// package register.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"

	"shmbench/catalog"
	"shmbench/internal/build/twin"
)

var names = map[twin.Op]string{
	twin.OpLoad: "load", twin.OpStore: "store", twin.OpStoreRelease: "release", twin.OpSwap: "swap", twin.OpCompareAndSwap: "cas", twin.OpAdd: "add", twin.OpAnd: "and", twin.OpOr: "or",
}

func main() {
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fail(err)
	}
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
		lock, err := a.New(max(a.MinProcs, min(n, a.MaxProcs)))
		if err != nil {
			fail(err)
		}
		for range 2 { // the first passage may find the lock as New made it
			counts = map[string]int{}
			lock.Lock(0)
			lock.Unlock(0)
		}
		all[a.Name] = counts
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
