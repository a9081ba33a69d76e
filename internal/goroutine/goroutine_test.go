package goroutine_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/goroutine"
	"shmbench/spin"
)

// start runs f on a goroutine and returns the goroutine's number.
func start(f func()) int {
	id := make(chan int)
	go func() {
		id <- goroutine.ID()
		f()
	}()
	return <-id
}

// eventually looks until ok holds. It gives up only with the test.
func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for !ok() {
		runtime.Gosched()
	}
}

func TestWaiting(t *testing.T) {
	var over atomic.Bool
	defer over.Store(true)
	for _, policy := range []spin.Policy{spin.PauseYield, spin.Busy, spin.Paused, spin.Yielding, spin.Turns} {
		spin.Use(policy)
		ended := make(chan bool)
		polls := start(func() {
			spin.Until(over.Load)
			close(ended)
		})
		eventually(t, func() bool { return goroutine.Dump()[polls].Waiting() })
		eventually(t, func() bool { return goroutine.Dump()[polls].Place() != "no known place" })
		over.Store(true)
		<-ended
		over.Store(false)
	}
	spin.Use(spin.PauseYield)

	c := make(chan int)
	asleep := start(func() { <-c })
	eventually(t, func() bool { return goroutine.Dump()[asleep].State == "chan receive" })
	require.True(t, goroutine.Dump()[asleep].Waiting())
	c <- 0
}

func TestNotWaiting(t *testing.T) {
	var over atomic.Bool
	defer over.Store(true)
	busy := start(func() {
		for !over.Load() {
			runtime.Gosched()
		}
	})
	for range 100 {
		require.False(t, goroutine.Dump()[busy].Waiting())
	}
	self := goroutine.Dump()[goroutine.ID()]
	require.Equal(t, "running", self.State)
	require.False(t, self.Waiting())
	require.Contains(t, self.Place(), "goroutine.go:")
}
