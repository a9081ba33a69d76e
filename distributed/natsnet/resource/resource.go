// Package resource is what the threads of a run write to while they are inside: a
// counter that each reads when it enters and writes one greater before it leaves.
// It knows nothing of locks. If two are inside at once an update is lost, and a
// resource with a fence refuses whoever comes with a token less than the greatest
// it has seen.
package resource

import (
	"errors"
	"fmt"

	"shmbench/distributed"
)

// ErrStale is what a resource with a fence says to an old token.
var ErrStale = errors.New("an old token")

// State is what a resource holds.
type State struct {
	High  distributed.Fence `json:"high"`  // the greatest token that it has seen
	Value int64             `json:"value"` // the counter
	Taken int64             `json:"taken"` // writes that it has taken
}

// A Resource is shared by all nodes. Each call takes effect at one moment.
type Resource interface {
	// Read returns the counter to the holder of token f. With a fence it is refused
	// with ErrStale if a greater token has been seen, and lesser ones are refused
	// from now on.
	Read(f distributed.Fence) (value int64, err error)

	// Write sets the counter, or refuses as Read does.
	Write(f distributed.Fence, value int64) error

	// State returns what it holds.
	State() (State, error)
}

// store is where a resource keeps its state. do is called once or again, until what
// it does to the state has taken effect at one moment.
type store interface {
	access(do func(s *State) (changed bool, err error)) error
}

// see lets s see token f, which it refuses if it is fenced and f is old.
func (s *State) see(f distributed.Fence, fenced bool) error {
	if fenced && f.Compare(s.High) < 0 {
		return fmt.Errorf("%w: %v, and %v has been seen", ErrStale, f, s.High)
	}
	s.High = s.High.Max(f)
	return nil
}

func read(r store, fenced bool, f distributed.Fence) (value int64, err error) {
	err = r.access(func(s *State) (bool, error) {
		value = s.Value
		return true, s.see(f, fenced)
	})
	return value, err
}

func write(r store, fenced bool, f distributed.Fence, value int64) error {
	return r.access(func(s *State) (bool, error) {
		err := s.see(f, fenced)
		s.Value = value
		s.Taken++
		return true, err
	})
}

func state(r store) (now State, err error) {
	err = r.access(func(s *State) (bool, error) {
		now = *s
		return false, nil
	})
	return now, err
}

// Lost returns how many of the writes taken by s, which began at 0, were lost:
// each that was taken and did not make the counter one greater.
func (s State) Lost() int64 { return s.Taken - s.Value }
