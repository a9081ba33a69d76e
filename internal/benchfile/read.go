package benchfile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"

	"shmbench/internal/gobench"
	"shmbench/internal/topo"
)

// File is the contents of one file of results, of this form or of the old one.
//
// The configuration of a result is what must not be mixed, as package gobench
// defines it; Config.File is true for it. GOMAXPROCS is always a part of it, and
// never of the name, where "go test" has it. Config.File is false for provenance.
// GetConfig returns both.
type File struct {
	Name    string
	Results []*benchfmt.Result
	Units   benchfmt.UnitMetadataMap
	// Incomplete says what is missing, as Writer.End was told; it is empty for
	// a complete file and for one that is not of this program.
	Incomplete string
	// Part says which part of the file this is, such as "gomaxprocs=2"; it is empty
	// for a whole file.
	Part string
}

// Open reads the file called path, unless ctx ends first. It calls read, if it is not nil,
// now and then with the number of bytes read and the size of the file.
func Open(ctx context.Context, path string, read func(done, of int64)) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := &counter{ctx: ctx, r: f, tell: read}
	if info, err := f.Stat(); err == nil {
		c.of = info.Size()
	}
	return Read(c, path)
}

// ReadFile returns the text of a file of any kind, unless ctx ends first.
func ReadFile(ctx context.Context, path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(&counter{ctx: ctx, r: f})
}

// Read reads a file of results; name is for errors and for columns. It returns an error if a
// line is broken off or malformed, or if no measurement can have a value. It also returns an
// error if there is no result: the file was cut short, or is something else.
func Read(r io.Reader, name string) (*File, error) {
	lines := &lines{r: bufio.NewReaderSize(r, longest)}
	reader := benchfmt.NewReader(lines, name)
	file := &File{Name: name}
	var now state
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.Result:
			if err := sound(record); err != nil {
				return nil, err
			}
			file.Results = append(file.Results, now.of(record, lines.provenance, name))
		case *benchfmt.SyntaxError:
			if lines.last != '\n' {
				return nil, brokenOff(name)
			}
			return nil, &LineError{record.FileName, record.Line, record.Msg + ": this is no whole file of benchmark results"}
		}
	}
	switch {
	case lines.err != nil:
		return nil, fmt.Errorf("%s: %w", name, lines.err)
	case reader.Err() != nil:
		return nil, fmt.Errorf("%w: this is no file of benchmark results", reader.Err())
	case len(file.Results) == 0:
		return nil, fmt.Errorf("%s: no benchmark results in it", name)
	case lines.last != '\n':
		return nil, brokenOff(name)
	}
	file.Units = reader.Units()
	if now.suffixes {
		alone(file.Results)
	}
	last := file.Results[len(file.Results)-1]
	switch {
	case lines.failed != nil:
		file.Incomplete = "failed: " + strings.Join(lines.failed, ", ")
	case lines.ended != "" && lines.ended != complete:
		file.Incomplete = lines.ended
	case lines.ended == "" && last.GetConfig(formatKey) != "":
		file.Incomplete = "cut off: it does not say how it ended"
	}
	return file, nil
}

// tidied copies values. The unit of a zero is tidied as that of any other
// value, which benchfmt leaves out.
func tidied(values []benchfmt.Value) []benchfmt.Value {
	values = slices.Clone(values)
	for i, v := range values {
		if _, unit := benchunit.Tidy(1, v.Unit); v.Value == 0 && unit != v.Unit {
			values[i] = benchfmt.Value{Unit: unit, OrigUnit: v.Unit}
		}
	}
	return values
}

// A LineError says what is wrong with a line of a file.
type LineError struct {
	File string
	Line int // from 1
	Says string
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Says) }

func brokenOff(name string) error {
	return errors.New(name + ": the last line is broken off: remove it to use the rest")
}

// sound refuses values that nothing can be made of.
func sound(r *benchfmt.Result) error {
	file, line := r.Pos()
	for _, v := range r.Values {
		value, unit := v.OrigValue, v.OrigUnit
		if unit == "" {
			value, unit = v.Value, v.Unit
		}
		switch {
		case math.IsNaN(value) || math.IsInf(value, 0):
			return &LineError{file, line, fmt.Sprintf("%v %s is no measurement: remove the line", value, unit)}
		case value < 0:
			return &LineError{file, line, fmt.Sprintf("%v %s is below zero: nothing that is compared can be", value, unit)}
		}
	}
	return nil
}

// longest is the most bytes of a line.
const longest = 64 << 10

// lines hands on what it reads line by line, and refuses what is no text of
// reasonable lines.
type lines struct {
	r     *bufio.Reader
	n     int // lines read
	rest  []byte
	last  byte   // of what was read
	ended string // what the file says last about its end
	err   error  // why the file is refused

	failed []string // benchmarks of "go test"

	provenance []topo.Pair // of the result that comes next; never changed in place
}

func (l *lines) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		if l.err = l.next(); l.err != nil {
			return 0, io.EOF // and Read reports err
		}
		if len(l.rest) == 0 {
			return 0, io.EOF
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func (l *lines) next() error {
	line, err := l.r.ReadSlice('\n')
	l.n++
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return fmt.Errorf("line %d is longer than %d bytes: this is no file of benchmark results", l.n, longest)
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case l.n > 1:
	case bytes.HasPrefix(line, []byte("\xef\xbb\xbf")):
		return errors.New("it begins with a byte order mark: save it as UTF-8 without one")
	case bytes.HasPrefix(line, []byte("\x1f\x8b")):
		return errors.New("it is compressed: unpack it with gunzip")
	case bytes.HasPrefix(line, []byte(`{"Time":`)):
		return errors.New("it is the output of go test -json: run the benchmarks without -json")
	}
	if len(line) > 0 {
		l.last = line[len(line)-1]
	}
	if l.rest = line; !l.unmeasured(string(line)) {
		l.note(string(line))
	} else {
		l.rest = []byte("\n") // benchfmt counts lines
	}
	return nil
}

// unmeasured reports whether "go test" says in a line why a benchmark has no figures,
// and keeps the name of one that failed.
func (l *lines) unmeasured(line string) bool {
	name, why, found := strings.Cut(line, "--- ")
	if !found || !strings.HasPrefix(name, "Benchmark") || len(strings.Fields(name)) != 1 {
		return false
	}
	if strings.HasPrefix(why, "FAIL: ") {
		l.failed = append(l.failed, strings.TrimPrefix(strings.TrimSpace(name), "Benchmark"))
	}
	return strings.HasPrefix(why, "FAIL: ") || strings.HasPrefix(why, "SKIP: ")
}

// note keeps what a line says that benchfmt skips, and how the file ended.
func (l *lines) note(line string) {
	if how, ok := strings.CutPrefix(line, endedKey+": "); ok { // the old form
		l.ended = strings.TrimSpace(how)
		return
	}
	fact, ok := gobench.ParseProvenance(line)
	switch {
	case !ok || gobench.IsConfiguration(fact.Key):
	case fact.Key == endedKey:
		l.ended = fact.Value
	default:
		l.provenance = append(slices.DeleteFunc(slices.Clone(l.provenance), func(p topo.Pair) bool { return p.Key == fact.Key }), fact)
	}
}

// counter tells how much has been read, and stops when ctx ends.
type counter struct {
	ctx      context.Context
	r        io.Reader
	done, of int64
	tell     func(done, of int64)
}

func (c *counter) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	if c.done += int64(n); c.tell != nil {
		c.tell(c.done, c.of)
	}
	return n, err
}
