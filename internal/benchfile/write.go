// Package benchfile writes and reads files of results in the Go benchmark
// format.
package benchfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/internal/topo"
)

// Format is the value of the key "format" in the header of a file.
const Format = "shmbench results 1"

// ended is the key of the line that says how a file came to its end. A file
// with a format but without such a line was cut off.
const ended = "ended"

// Writer writes one file, a line as soon as it is known, so that whatever ends
// the program loses nothing that was measured. A line is written whole or not
// at all, also where the disk is full.
type Writer struct {
	w    io.WriteCloser
	size int64 // of the lines that are written
	line bytes.Buffer
	file *benchfmt.Writer // to line
}

// Create begins a file with its header. It does not overwrite a file that has
// something in it, nor wait for a reader of a pipe.
func Create(path string, config []topo.Pair) (*Writer, error) {
	flag := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if info, err := os.Stat(path); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
		flag |= syscall.O_NONBLOCK
	}
	f, err := os.OpenFile(path, flag, 0o666)
	if errors.Is(err, syscall.ENXIO) {
		return nil, fmt.Errorf("%s is a pipe that nobody reads", path)
	}
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
	writer := &Writer{w: w}
	writer.file = benchfmt.NewWriter(&writer.line)
	if err := WriteHeader(&writer.line, append([]topo.Pair{{Key: "format", Value: Format}}, config...)); err != nil {
		return nil, err
	}
	return writer, writer.flush()
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
func (w *Writer) Write(l bench.Line) error {
	if err := w.file.Write(l.Result()); err != nil {
		return err
	}
	return w.flush()
}

// flush writes the buffered lines, and takes back what was written of them if
// they cannot be written whole.
func (w *Writer) flush() error {
	n, err := w.w.Write(w.line.Bytes())
	w.line.Reset()
	if err == nil {
		w.size += int64(n)
		return nil
	}
	if f, ok := w.w.(interface{ Truncate(int64) error }); ok && n > 0 {
		err = errors.Join(err, f.Truncate(w.size))
	}
	return err
}

// End says how the measurement ended and closes the file: how is empty if all
// was measured, and else says what is missing, such as "interrupted after 12
// of 128 samples".
func (w *Writer) End(how string) error {
	if how == "" {
		how = complete
	}
	fmt.Fprintf(&w.line, "\n%s: %s\n", ended, how)
	return errors.Join(w.flush(), w.w.Close())
}

const complete = "complete"
