package spin_test

import (
	"fmt"
	"sync/atomic"

	"shmbench/shm/spin"
)

// A wait that only reads is Until. The policy says what a process does between two polls.
func ExampleUntil() {
	var ready atomic.Bool
	go ready.Store(true)
	spin.Until(func() bool { return ready.Load() })
	fmt.Println(ready.Load(), spin.InUse())
	// Output: true pause-yield
}

// A loop that writes before it tries again calls Pause at its back edge.
func ExamplePause() {
	var owner atomic.Int32
	for !owner.CompareAndSwap(0, 1) {
		spin.Pause()
	}
	fmt.Println("owner", owner.Load())
	// Output: owner 1
}

// A program chooses the policy once, by its name.
func ExampleParsePolicy() {
	policy, err := spin.ParsePolicy("yield")
	fmt.Println(policy, err)
	_, err = spin.ParsePolicy("sleep")
	fmt.Println(err != nil, spin.PolicyNames()[:5])
	// Output:
	// yield <nil>
	// true [pause-yield busy pause yield turns]
}
