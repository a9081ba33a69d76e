// Package resource is what the threads of a run write to while they are in the
// critical section: a counter that each thread reads when it enters and writes one
// greater before it leaves. It knows nothing of locks. If two threads are in the
// critical section at once, an update is lost. A resource with a fence refuses a
// token less than the greatest that it has seen.
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

// ErrStale is the answer of a resource with a fence to an old token.
var ErrStale = errors.New("an old token")

// State is what a resource holds.
type State struct {
	High    distributed.Fence `json:"high"`    // the greatest token that it has seen
	Value   int64             `json:"value"`   // the counter
	Taken   int64             `json:"taken"`   // how many writes it has taken
	Refused int64             `json:"refused"` // how many accesses it has refused
}

// A Resource is shared by all nodes. Each access takes effect at one moment.
type Resource struct {
	store
	fenced bool
}

// store is where a resource keeps its state.
type store interface {
	// access calls do until what do did to the state has taken effect at one
	// moment.
	access(ctx context.Context, do func(s *State) (changed bool)) error

	// Trouble returns why an access is being repeated; nil: none is.
	Trouble() error

	// Down returns for how long the server has been unreachable; 0: it is reachable,
	// or there is none.
	Down() time.Duration

	Close() error
}

// Read returns the counter to the holder of token f. A resource with a fence refuses
// f with ErrStale if it has seen a greater token, and refuses lesser ones from now on.
func (r *Resource) Read(ctx context.Context, f distributed.Fence) (value int64, err error) {
	var stale error
	err = r.access(ctx, func(s *State) bool {
		value = s.Value
		stale = s.see(f, r.fenced)
		return true
	})
	return value, errors.Join(err, stale)
}

// Write sets the counter, or refuses as Read does.
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

// State returns what r holds. A key-value store with several replicas may read one
// that is late by a moment.
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

// parse reads the JSON of what a store holds into s.
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

// check reports what no resource can hold.
func (s *State) check() error {
	if s.Value < 0 || s.Taken < 0 || s.Refused < 0 || s.High.Epoch < 0 || s.High.Count < 0 {
		return errors.New("a count is negative")
	}
	return nil
}

// Lost returns how many of the writes taken by s, which began at 0, were lost:
// those that did not make the counter one greater.
func (s State) Lost() int64 { return s.Taken - s.Value }
