package ownlock_test

import (
	"fmt"
	"testing"

	"shmbench/bench"
	"shmbench/check"
	"shmbench/locktest"
	"shmbench/stress"

	"example.com/ownlock"
)

// TestConformance runs the tests that every lock passes.
func TestConformance(t *testing.T) { locktest.Run(t, ownlock.Spec) }

// TestStress stresses the lock on this machine, with a watchdog.
func TestStress(t *testing.T) { stress.Run(t, ownlock.Spec) }

// TestEveryInterleaving checks the specification in all interleavings of two and of three
// processes. It reads the source of the lock that New builds.
func TestEveryInterleaving(t *testing.T) { check.Run(t, ownlock.Spec, "New") }

// BenchmarkPassage measures how long one entry into the critical section and one exit take.
func BenchmarkPassage(b *testing.B) {
	for _, procs := range []int{1, 2, 4} {
		bench.Run(b, ownlock.Spec, bench.Workload{Procs: procs})
	}
}

func Example() {
	lock, err := ownlock.New(2) // for two processes
	if err != nil {
		fmt.Println(err)
		return
	}
	lock.Lock(1)
	fmt.Println("process 1 is in its critical section")
	lock.Unlock(1)
	// Output: process 1 is in its critical section
}
