package locktest_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"shmbench/locktest"
	"shmbench/shm"
	"shmbench/shm/spin"
)

// unfair is test-and-set, with a claim that it does not keep.
type unfair struct{ busy atomic.Bool }

func (l *unfair) Lock(int) {
	for l.busy.Swap(true) {
		spin.Pause()
	}
}

func (l *unfair) Unlock(int) { l.busy.Store(false) }

func ExampleVerify() {
	spec := shm.Algorithm{
		Name: "mine/unfair", MinProcs: 1, MaxProcs: 8,
		Claims: shm.Claims{DeadlockFree: true, StarvationFree: true, Bypass: shm.NMinus1, FCFS: true},
		New: func(n int) (shm.Mutex, error) {
			return new(unfair), shm.CheckProcs("mine/unfair", n, 1, 8)
		},
	}
	err := locktest.Verify(context.Background(), spec, locktest.Options{
		Rules: []string{"exclusion", "first-come-first-served"},
	})
	var failure *locktest.Failure
	if errors.As(err, &failure) {
		fmt.Println(failure.Algorithm, "breaks the rule", failure.Rule)
	}
	// Output: mine/unfair breaks the rule first-come-first-served
}
