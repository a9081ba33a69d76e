package resource

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"shmbench/distributed"
)

// File is a resource in a file, for nodes on one machine. Each access holds the
// file's advisory lock, for as long as that access takes.
type File struct {
	f      *os.File
	fenced bool
	busy   atomic.Bool // another process has it
}

// OpenFile opens the resource in the file at path, and makes it if it is not there.
func OpenFile(path string, fenced bool) (*File, error) {
	return openFile(path, os.O_RDWR|os.O_CREATE, fenced)
}

// FindFile opens the resource in the file at path, and fails if it is not there.
func FindFile(path string) (*File, error) { return openFile(path, os.O_RDONLY, true) }

func openFile(path string, flags int, fenced bool) (*File, error) {
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, err
	}
	return &File{f: f, fenced: fenced}, nil
}

// size is the length of the file: longer than any state. Each write has this
// length, so that a kill between two writes leaves no mixture of both.
const size = 256

// access implements store.
func (r *File) access(ctx context.Context, do func(s *State) (changed bool)) error {
	if err := r.lock(ctx); err != nil {
		return err
	}
	defer syscall.Flock(int(r.f.Fd()), syscall.LOCK_UN)
	b, err := io.ReadAll(io.NewSectionReader(r.f, 0, 2*size))
	if err != nil {
		return err
	}
	s, err := parse(b)
	if err != nil {
		return fmt.Errorf("the resource %s holds something else: %w", r.f.Name(), err)
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
func (r *File) lock(ctx context.Context) error {
	const soonest, latest = 50 * time.Microsecond, 5 * time.Millisecond
	defer r.busy.Store(false)
	for pause := soonest; ; pause = min(2*pause, latest) {
		err := syscall.Flock(int(r.f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil || !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
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

// Trouble implements Resource.
func (r *File) Trouble() error {
	if r.busy.Load() {
		return fmt.Errorf("another process holds %s", r.f.Name())
	}
	return nil
}

// parse reads what a file holds.
func parse(b []byte) (s State, err error) {
	if len(b) == 0 {
		return s, nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return s, err
	}
	if d.More() {
		return s, errors.New("it goes on after its end")
	}
	if s.Value < 0 || s.Taken < 0 || s.Refused < 0 || s.High.Epoch < 0 || s.High.Count < 0 {
		return s, errors.New("a count is negative")
	}
	return s, nil
}

// Read implements Resource.
func (r *File) Read(ctx context.Context, f distributed.Fence) (value int64, err error) {
	return read(ctx, r, r.fenced, f)
}

// Write implements Resource.
func (r *File) Write(ctx context.Context, f distributed.Fence, value int64) error {
	return write(ctx, r, r.fenced, f, value)
}

// State implements Resource.
func (r *File) State(ctx context.Context) (State, error) { return state(ctx, r) }

// Close closes the file.
func (r *File) Close() error { return r.f.Close() }
