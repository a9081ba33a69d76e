package traps

import (
	"math/rand/v2"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// Tokens is a lock that is free while its word holds one token.
type Tokens struct {
	word       atomic.Uint32
	free, held uint32
}

// NewTokens draws the tokens: they may be any two numbers.
func NewTokens(int) *Tokens {
	l := &Tokens{free: rand.Uint32(), held: rand.Uint32()}
	l.word.Store(l.held)
	return l
}

// NewBentToken changes one token a little.
func NewBentToken(int) *Tokens {
	l := &Tokens{free: rand.Uint32()}
	l.held = l.free ^ 4
	l.word.Store(l.held)
	return l
}

func (l *Tokens) Lock(int) {
	for !l.word.CompareAndSwap(l.free, 7) {
	}
}

func (l *Tokens) Unlock(int) { l.word.Store(7) }

// Adds adds to a word that it does not know.
type Adds struct{ Tokens }

// NewAdds returns an Adds.
func NewAdds(int) *Adds { return &Adds{*NewTokens(1)} }

func (l *Adds) Lock(int) { l.word.Add(1) }

// NewSorted has a library that is not read change what New has built.
func NewSorted(int) *Maybe {
	order := []int{2, 1}
	sort.Slice(order, func(i, j int) bool { return order[i] < order[j] })
	return If(order[0] == 2)
}

// NewOnce has a library that is not read call a function.
func NewOnce(int) *Maybe {
	good := true
	var once sync.Once
	once.Do(func() { good = false })
	return If(good)
}

// NewMap writes through an address that it has from a map.
func NewMap(int) *Maybe {
	l := If(true)
	byName := map[string]*Maybe{"l": l}
	byName["l"].good = false
	return l
}

// NewSlices sorts with a library that is read.
func NewSlices(int) *Maybe {
	order := []int{2, 1}
	slices.Sort(order)
	return If(order[0] == 1)
}

// Value keeps its word in an atomic.Value, which cannot be modeled.
type Value struct {
	TAS
	v atomic.Value
}

// NewValue returns a Value.
func NewValue(int) *Value { return new(Value) }

func (l *Value) Lock(i int) {
	l.TAS.Lock(i)
	l.v.Store(i)
}

// NewHeld writes through an address that it has from a library that is not read.
func NewHeld(int) *Maybe {
	l := If(true)
	var held sync.Map
	held.Store("l", l)
	v, _ := held.Load("l")
	v.(*Maybe).good = false
	return l
}
