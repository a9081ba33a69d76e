package goroutine_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/run/goroutine"
	"shmbench/shm/spin"
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

// A poll that has failed is a wait; a pause need not be.
func TestPastDoorway(t *testing.T) {
	var over atomic.Bool
	polls := start(func() { spin.Until(over.Load) })
	eventually(t, func() bool { return goroutine.Dump()[polls].PastDoorway() })
	pauses := start(func() {
		for !over.Load() {
			spin.Pause()
		}
	})
	eventually(t, func() bool { return goroutine.Dump()[pauses].Waiting() })
	for range 100 {
		require.False(t, goroutine.Dump()[pauses].PastDoorway())
	}
	over.Store(true)

	var mu sync.Mutex
	message, sent, cond := make(chan int), make(chan int), sync.NewCond(new(sync.Mutex))
	mu.Lock()
	for state, c := range map[string]struct {
		wait       func()
		past, late bool
	}{
		"chan receive":    {func() { <-message }, true, false},
		"sync.Cond.Wait":  {func() { cond.L.Lock(); cond.Wait() }, true, false},
		"chan send":       {func() { sent <- 0 }, false, false},
		"sync.Mutex.Lock": {mu.Lock, false, false},
		"select": {func() {
			select {
			case <-make(chan int):
			case <-make(chan int):
			}
		}, false, false},
		"sleep": {func() { time.Sleep(time.Hour) }, false, true},
	} {
		id := start(c.wait)
		eventually(t, func() bool { return goroutine.Dump()[id].State == state })
		stack := goroutine.Dump()[id]
		require.Equal(t, c.past, stack.PastDoorway(), state)
		require.Equal(t, c.late, stack.Delayed(), state)
		require.Equal(t, !c.late, stack.Waiting(), state)
	}
	require.False(t, goroutine.Dump()[goroutine.ID()].Delayed(), "running")
	require.True(t, goroutine.Stack{State: "semacquire"}.Delayed(), "as in the garbage collector")
	require.False(t, goroutine.Stack{State: "runnable"}.Delayed())
}
