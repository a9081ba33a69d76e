package resource

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"shmbench/distributed"
)

// File is a resource in a file, for nodes on one machine. Each access holds the
// file's advisory lock, for as long as that access takes.
type File struct {
	f      *os.File
	fenced bool
}

// OpenFile opens, or makes, the resource in the file at path.
func OpenFile(path string, fenced bool) (*File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	return &File{f, fenced}, nil
}

// Close closes the file.
func (r *File) Close() error { return r.f.Close() }

// maxState is longer than any state in a file.
const maxState = 4096

// access does something to the state at one moment.
func (r *File) access(do func(s *State) (changed bool, err error)) error {
	for {
		err := syscall.Flock(int(r.f.Fd()), syscall.LOCK_EX)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
	defer syscall.Flock(int(r.f.Fd()), syscall.LOCK_UN)
	var s State
	b, err := io.ReadAll(io.NewSectionReader(r.f, 0, maxState))
	if err != nil {
		return err
	}
	if len(b) > 0 {
		if err := json.Unmarshal(b, &s); err != nil {
			return fmt.Errorf("the resource %s holds something else: %w", r.f.Name(), err)
		}
	}
	changed, err := do(&s)
	if err != nil || !changed {
		return err
	}
	if b, err = json.Marshal(s); err != nil {
		return err
	}
	b = append(b, '\n')
	if _, err := r.f.WriteAt(b, 0); err != nil {
		return err
	}
	return r.f.Truncate(int64(len(b)))
}

// Read implements Resource.
func (r *File) Read(f distributed.Fence) (value int64, err error) { return read(r, r.fenced, f) }

// Write implements Resource.
func (r *File) Write(f distributed.Fence, value int64) error { return write(r, r.fenced, f, value) }

// State implements Resource.
func (r *File) State() (State, error) { return state(r) }
