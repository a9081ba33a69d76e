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
	conf []benchfmt.Config
}

// Create begins a file with its configuration and units. It does not overwrite
// a file that has something in it.
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

// NewWriter writes the units to w and is ready for results.
func NewWriter(w io.WriteCloser, config []topo.Pair) (*Writer, error) {
	writer := &Writer{w: w, file: benchfmt.NewWriter(w)}
	for _, c := range config {
		writer.conf = append(writer.conf, benchfmt.Config{Key: c.Key, Value: []byte(c.Value), File: true})
	}
	for _, u := range bench.Units {
		unit := benchfmt.UnitMetadata{OrigUnit: u.Name, UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: u.Name, Key: "better"}, Value: u.Better}
		if err := writer.file.Write(&unit); err != nil {
			return nil, err
		}
	}
	return writer, nil
}

// Write appends a line.
func (w *Writer) Write(l bench.Line) error {
	r := l.Result()
	r.Config = w.conf
	return w.file.Write(r)
}

// Close closes the file.
func (w *Writer) Close() error { return w.w.Close() }
