package history

import (
	"errors"
	"fmt"
	"io"
	"os"

	"shmbench/internal/run/filelock"
)

// A File is a history in a file.
type File struct {
	*Writer
	f *os.File
}

// Create opens the file at path for the history of process p. If the file holds the
// history of an earlier process of the same node in the same run, Create appends the
// history of p. Create refuses a file with any other content. Create also refuses a
// file that another process is writing.
func Create(path string, p Process) (*File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	w, err := begin(f, p)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &File{w, f}, nil
}

func begin(f *os.File, p Process) (*Writer, error) {
	if err := filelock.Try(f); errors.Is(err, filelock.ErrHeld) {
		return nil, errors.New("another process writes its history there: name another file")
	} else if err != nil {
		return nil, err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return newWriter(f, p, err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	before, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("it holds something else than a history, and is not overwritten: %w", err)
	}
	if was := before.Processes[0]; was.Run != p.Run || was.Node != p.Node || was.Nodes != p.Nodes || was.Algorithm != p.Algorithm {
		return nil, fmt.Errorf("it holds the history of node %d of %d of another run (%s, run %s): name another file", was.Node, was.Nodes, was.Algorithm, was.Run)
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, size-1); err != nil {
		return nil, err
	}
	if last[0] != '\n' { // the earlier process was killed while it wrote
		_, err = f.WriteString("\n")
	}
	return newWriter(f, p, err)
}

func newWriter(w io.Writer, p Process, err error) (*Writer, error) {
	if err != nil {
		return nil, err
	}
	return NewWriter(w, p)
}

// Close ends the history, and closes the file.
func (f *File) Close() error { return errors.Join(f.End(), f.f.Close()) }

// ReadFile reads the history in the file at path.
func ReadFile(path string) (*History, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return h, nil
}
