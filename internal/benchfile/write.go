// Package benchfile writes and reads files of results in the Go benchmark
// format.
package benchfile

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/internal/topo"
)

// Writer writes one file, a line as soon as it is known, so that whatever ends
// the program loses nothing that was measured.
type Writer struct {
	w    io.WriteCloser
	file *benchfmt.Writer
}

// Create begins a file with its header. It does not overwrite a file that has
// something in it.
func Create(path string, config []topo.Pair) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		f.Close()
		return nil, fmt.Errorf("%s has results already: name another file, or remove it first", path)
	}
	w, err := NewWriter(f, config)
	if err != nil {
		f.Close()
		return nil, err
	}
	return w, nil
}

// NewWriter writes the header to w and is ready for results.
func NewWriter(w io.WriteCloser, config []topo.Pair) (*Writer, error) {
	return &Writer{w: w, file: benchfmt.NewWriter(w)}, WriteHeader(w, config)
}

// WriteHeader writes what comes before the results: which direction of each
// unit is better, and the configuration.
func WriteHeader(w io.Writer, config []topo.Pair) error {
	for _, u := range bench.Units {
		if _, err := fmt.Fprintf(w, "Unit %s better=%s\n", u.Name, u.Better); err != nil {
			return err
		}
	}
	for _, c := range config {
		if _, err := fmt.Fprintf(w, "%s: %s\n", c.Key, c.Value); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// Write appends a line.
func (w *Writer) Write(l bench.Line) error { return w.file.Write(l.Result()) }

// Close closes the file.
func (w *Writer) Close() error { return w.w.Close() }
