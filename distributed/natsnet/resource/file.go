package resource

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"shmbench/internal/run/filelock"
)

// file is the store of a resource for nodes on one machine. Each access holds the
// file's advisory lock until the access ends.
type file struct {
	f    *os.File
	busy atomic.Bool // another process has the lock
}

// OpenFile opens the resource in the file at path, and creates it if it does not
// exist.
func OpenFile(path string, fenced bool) (*Resource, error) {
	return openFile(path, os.O_RDWR|os.O_CREATE, fenced)
}

// FindFile opens the resource in the file at path. It returns an error if there
// is none.
func FindFile(path string) (*Resource, error) { return openFile(path, os.O_RDONLY, true) }

func openFile(path string, flags int, fenced bool) (*Resource, error) {
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, err
	}
	return &Resource{&file{f: f}, fenced}, nil
}

// size is the length of the file: longer than any state. Each write has this
// length, so that a kill between two writes leaves no mixture of both.
const size = 256

// access implements store.
func (r *file) access(ctx context.Context, do func(s *State) (changed bool)) error {
	if err := r.lock(ctx); err != nil {
		return err
	}
	defer filelock.Unlock(r.f)
	b, err := io.ReadAll(io.NewSectionReader(r.f, 0, 2*size))
	if err != nil {
		return err
	}
	var s State
	if len(b) > 0 {
		if err := parse(b, &s); err != nil {
			return fmt.Errorf("the resource %s holds something else: %w", r.f.Name(), err)
		}
	}
	if !do(&s) {
		return nil
	}
	if b, err = json.Marshal(s); err != nil {
		return err
	}
	_, err = r.f.WriteAt(fmt.Appendf(nil, "%-*s\n", size-1, b), 0)
	return err
}

// lock takes the file's advisory lock. A process that is stopped may hold it.
func (r *file) lock(ctx context.Context) error {
	const soonest, latest = 50 * time.Microsecond, 5 * time.Millisecond
	defer r.busy.Store(false)
	for pause := soonest; ; pause = min(2*pause, latest) {
		err := filelock.Try(r.f)
		if !errors.Is(err, filelock.ErrHeld) {
			return err
		}
		r.busy.Store(true)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// Trouble implements store.
func (r *file) Trouble() error {
	if r.busy.Load() {
		return fmt.Errorf("another process holds %s", r.f.Name())
	}
	return nil
}

// Down implements store.
func (r *file) Down() time.Duration { return 0 }

// Close closes the file.
func (r *file) Close() error { return r.f.Close() }
