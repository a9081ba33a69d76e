// Package resource has the resource that the threads of a run write to in their
// critical sections. The resource is a counter. Each thread reads it when it
// enters, and writes the next value before it leaves. The resource knows nothing
// of locks. If two threads are in the critical section at once, an update is lost.
// A resource with a fence refuses a token less than the greatest that it has seen.
package resource

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"shmbench/distributed"
)

// ErrStale is the error of a resource with a fence for an old token.
var ErrStale = errors.New("an old token")

// State is the state of a resource.
type State struct {
	High    distributed.Fence `json:"high"`    // the greatest token that it has seen
	Value   int64             `json:"value"`   // the counter
	Taken   int64             `json:"taken"`   // how many writes it has taken
	Refused int64             `json:"refused"` // how many accesses it has refused
}

// A Resource is a counter that all nodes share. Each access takes effect at one
// moment.
type Resource struct {
	store
	fenced bool
}

// store keeps the state of a resource.
type store interface {
	// access calls do, again if necessary, until the change that do made to the
	// state has taken effect at one moment.
	access(ctx context.Context, do func(s *State) (changed bool)) error

	// Trouble returns why the store repeats an access, or nil if it repeats none.
	Trouble() error

	// Down returns how long the server has been unreachable. It returns 0 if the
	// server is reachable, or if there is no server.
	Down() time.Duration

	Close() error
}

// Read returns the counter to the holder of token f. A resource with a fence refuses f
// with ErrStale if it has seen a greater token. Otherwise it refuses lesser tokens
// from then on.
func (r *Resource) Read(ctx context.Context, f distributed.Fence) (value int64, err error) {
	var stale error
	err = r.access(ctx, func(s *State) bool {
		value = s.Value
		stale = s.see(f, r.fenced)
		return true
	})
	return value, errors.Join(err, stale)
}

// Write sets the counter to value for the holder of token f. It refuses f as Read
// does.
func (r *Resource) Write(ctx context.Context, f distributed.Fence, value int64) error {
	var stale error
	err := r.access(ctx, func(s *State) bool {
		if stale = s.see(f, r.fenced); stale == nil {
			s.Value = value
			s.Taken++
		}
		return true
	})
	return errors.Join(err, stale)
}

// State returns the state of r. A key-value store with several replicas may return
// a state that is slightly out of date.
func (r *Resource) State(ctx context.Context) (now State, err error) {
	err = r.access(ctx, func(s *State) bool {
		now = *s
		return false
	})
	return now, err
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

// parse reads the JSON of a stored state into s.
func parse(b []byte, s interface{ check() error }) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return err
	}
	if d.More() {
		return errors.New("it goes on after its end")
	}
	return s.check()
}

// check returns an error if no resource can have this state.
func (s *State) check() error {
	if s.Value < 0 || s.Taken < 0 || s.Refused < 0 || s.High.Epoch < 0 || s.High.Count < 0 {
		return errors.New("a count is negative")
	}
	return nil
}

// Lost returns how many of the writes that s has taken were lost. The counter
// began at 0, and a write that was not lost made it one greater.
func (s State) Lost() int64 { return s.Taken - s.Value }
