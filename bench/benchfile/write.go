// Package benchfile writes and reads files of results in the Go benchmark
// format.
package benchfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strconv"
	"syscall"

	"shmbench/bench"
	"shmbench/internal/machine/topo"
	"shmbench/internal/results/gobench"
	"shmbench/internal/run/filelock"
)

// Format is the value of the key "format" in the header of a file.
const Format = "shmbench results 2"

// The keys of what a file says about itself.
const (
	formatKey = "format"
	endedKey  = "ended" // how the file came to its end: the last fact in it
)

// Writer writes one file, a line as soon as it is known, so that whatever ends
// the program loses nothing that was measured. A line is written whole or not
// at all, also where the disk is full.
//
// The file has the form of what "go test -bench" prints: fields are
// separated by tabs, and names end with GOMAXPROCS as in "-8". The
// benchmarks are followed by PASS, or by FAIL if some are missing.
type Writer struct {
	w      io.WriteCloser
	size   int64 // of the lines that are written
	line   bytes.Buffer
	suffix string // of names
	fork   int    // of the last line
}

// Create begins a file with its header. It does not overwrite a file that has something in
// it, or a file that another program has created and writes. It does not wait for a reader of
// a pipe.
func Create(path string, facts []topo.Pair) (*Writer, error) {
	flag := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if info, err := os.Stat(path); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
		flag |= syscall.O_NONBLOCK
	}
	f, err := os.OpenFile(path, flag, 0o666)
	if errors.Is(err, syscall.ENXIO) {
		return nil, fmt.Errorf("%s is a pipe that no program reads", path)
	}
	if err != nil {
		return nil, err
	}
	w, err := begin(f, path, facts)
	if err != nil {
		f.Close()
		return nil, err
	}
	return w, nil
}

// begin writes the header to a file that is open, if no process has begun with it.
func begin(f *os.File, path string, facts []topo.Pair) (*Writer, error) {
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if errors.Is(filelock.Try(f), filelock.ErrHeld) {
			return nil, fmt.Errorf("%s is being written by another program: name another file", path)
		}
		if info, err = f.Stat(); err == nil && info.Size() > 0 { // now that no process writes
			return nil, fmt.Errorf("%s has results already: name another file, or remove it first", path)
		}
	}
	return NewWriter(f, facts)
}

// valueOf returns the value of a fact, empty if it is not among them.
func valueOf(facts []topo.Pair, key string) string {
	i := slices.IndexFunc(facts, func(f topo.Pair) bool { return f.Key == key })
	if i < 0 {
		return ""
	}
	return facts[i].Value
}

// benchmarks is the package that "go test -bench" names in its results of the same
// benchmarks. It stands in a file whose facts do not have another one.
var benchmarks = reflect.TypeFor[bench.Line]().PkgPath()

// NewWriter writes the header to w and is ready for results. Package gobench says
// which of the facts become configuration.
func NewWriter(w io.WriteCloser, facts []topo.Pair) (*Writer, error) {
	writer := &Writer{w: w}
	facts = slices.Concat([]topo.Pair{{Key: formatKey, Value: Format}}, facts)
	if valueOf(facts, "pkg") == "" {
		facts = append(facts, topo.Pair{Key: "pkg", Value: benchmarks})
	}
	if processors := valueOf(facts, gobench.Processors); processors != "" {
		writer.suffix = gobench.Suffix(processors)
	}
	if err := gobench.WriteHeader(&writer.line, bench.Directions, facts); err != nil {
		return nil, err
	}
	fmt.Fprintln(&writer.line)
	return writer, writer.flush()
}

// Write appends a line.
func (w *Writer) Write(l bench.Line) error {
	if l.Fork != w.fork {
		w.fork = l.Fork
		w.say(bench.ForkKey, strconv.Itoa(l.Fork))
	}
	values := make([]gobench.Value, len(l.Values))
	for i, v := range l.Values {
		values[i] = gobench.Value(v)
	}
	w.line.Write(gobench.AppendLine(nil, l.Name+w.suffix, l.Iterations, values))
	return w.flush()
}

func (w *Writer) say(key, value string) {
	fmt.Fprintln(&w.line, gobench.Provenance(topo.Pair{Key: key, Value: value}))
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
	last := "PASS"
	if how == "" {
		how = complete
	} else {
		last = "FAIL"
	}
	fmt.Fprintln(&w.line, last)
	w.say(endedKey, how)
	return errors.Join(w.flush(), w.w.Close())
}

const complete = "complete"
