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

func TestConformance(t *testing.T) { locktest.Run(t, ownlock.Card) }

func TestStress(t *testing.T) { stress.Run(t, ownlock.Card) }

func TestEveryInterleaving(t *testing.T) { check.Run(t, ownlock.Card, "New") }

func BenchmarkPassage(b *testing.B) {
	for _, procs := range []int{1, 2} {
		bench.Run(b, ownlock.Card, bench.Workload{Procs: procs})
	}
}

func Example() {
	lock, err := ownlock.New(2)
	if err != nil {
		fmt.Println(err)
		return
	}
	lock.Lock(1)
	fmt.Println("inside")
	lock.Unlock(1)
	// Output: inside
}
