// Package resource is what the threads of a run write to while they are in the
// critical section: a counter that each thread reads when it enters and writes one
// greater before it leaves. It knows nothing of locks. If two threads are in the
// critical section at once, an update is lost. A resource with a fence refuses a
// token less than the greatest that it has seen.
package resource

import (
	"context"
	"errors"
	"fmt"

	"shmbench/distributed"
)

// ErrStale is the answer of a resource with a fence to an old token.
var ErrStale = errors.New("an old token")

// State is what a resource holds.
type State struct {
	High    distributed.Fence `json:"high"`    // the greatest token that it has seen
	Value   int64             `json:"value"`   // the counter
	Taken   int64             `json:"taken"`   // how many writes it has taken
	Refused int64             `json:"refused"` // how many accesses it has refused
}

// A Resource is shared by all nodes. Each call takes effect at one moment.
type Resource interface {
	// Read returns the counter to the holder of token f. A resource with a fence
	// refuses f with ErrStale if it has seen a greater token, and refuses lesser
	// ones from now on.
	Read(ctx context.Context, f distributed.Fence) (value int64, err error)

	// Write sets the counter, or refuses as Read does.
	Write(ctx context.Context, f distributed.Fence, value int64) error

	// State returns what it holds.
	State(ctx context.Context) (State, error)

	// Trouble returns why an access is being repeated; nil: none is.
	Trouble() error

	Close() error
}

// store is where a resource keeps its state. It calls do until what do did to the
// state has taken effect at one moment.
type store interface {
	access(ctx context.Context, do func(s *State) (changed bool)) error
}

// see shows token f to s, which refuses it if s is fenced and f is old.
func (s *State) see(f distributed.Fence, fenced bool) error {
	if fenced && f.Compare(s.High) < 0 {
		s.Refused++
		return fmt.Errorf("%w: %v, and %v has been seen", ErrStale, f, s.High)
	}
	s.High = s.High.Max(f)
	return nil
}

func read(ctx context.Context, r store, fenced bool, f distributed.Fence) (value int64, err error) {
	var stale error
	err = r.access(ctx, func(s *State) bool {
		value = s.Value
		stale = s.see(f, fenced)
		return true
	})
	return value, errors.Join(err, stale)
}

func write(ctx context.Context, r store, fenced bool, f distributed.Fence, value int64) error {
	var stale error
	err := r.access(ctx, func(s *State) bool {
		if stale = s.see(f, fenced); stale == nil {
			s.Value = value
			s.Taken++
		}
		return true
	})
	return errors.Join(err, stale)
}

func state(ctx context.Context, r store) (now State, err error) {
	err = r.access(ctx, func(s *State) bool {
		now = *s
		return false
	})
	return now, err
}

// Lost returns how many of the writes taken by s, which began at 0, were lost:
// those that did not make the counter one greater.
func (s State) Lost() int64 { return s.Taken - s.Value }
