package locks

import (
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

type base struct {
	busy atomic.Bool
	mu   sync.Mutex
	c    chan int
	m    map[int]int
}

func (l *base) Unlock(int) { l.busy.Store(false) }

type (
	Goes     struct{ base }
	Sends    struct{ base }
	Receives struct{ base }
	Mutexes  struct{ base }
	Clocks   struct{ base }
	Draws    struct{ base }
	Calls    struct{ base }
	Maps     struct{ base }
	Counts   struct{ base }
	Spins    struct{ base }
)

func NewGoes(int) *Goes         { return new(Goes) }
func NewSends(int) *Sends       { return new(Sends) }
func NewReceives(int) *Receives { return new(Receives) }
func NewMutexes(int) *Mutexes   { return new(Mutexes) }
func NewClocks(int) *Clocks     { return new(Clocks) }
func NewDraws(int) *Draws       { return new(Draws) }
func NewCalls(int) *Calls       { return new(Calls) }
func NewMaps(int) *Maps         { return &Maps{base{m: map[int]int{}}} }
func NewCounts(int) *Counts     { return new(Counts) }
func NewSpins(int) *Spins       { return new(Spins) }

func (l *Goes) Lock(int)     { go l.busy.Store(true) }
func (l *Sends) Lock(int)    { l.c <- 1 }
func (l *Receives) Lock(int) { <-l.c }
func (l *Mutexes) Lock(int)  { l.mu.Lock() }
func (l *Clocks) Lock(int)   { l.busy.Store(time.Now().IsZero()) }
func (l *Draws) Lock(int)    { l.busy.Store(rand.IntN(2) == 0) }
func (l *Calls) Lock(int)    { os.Getpid() }
func (l *Maps) Lock(int)     { l.m[0]++ }
func (l *Counts) Lock(int) {
	for polls := 0; l.busy.Swap(true) || polls < 0; polls++ {
	}
}
func (l *Spins) Lock(int) {
	for done := false; !done; {
	}
}

// NewNotALock builds something without the methods of a lock.
func NewNotALock(int) *sync.Mutex { return new(sync.Mutex) }

// NewTwo does not take a number of processes.
func NewTwo() *TAS { return new(TAS) }
