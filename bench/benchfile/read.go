package benchfile

import (
	"bufio"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"os"
	"slices"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
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
	// Incomplete says what is missing: what Writer.End was told, what failed in "go test", or
	// where the file was cut off. It is empty for a complete file.
	Incomplete string
	// Notes are about lines that are skipped, although nothing has failed.
	Notes []string
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

// ReadFile returns the Text of a file of any kind, unless ctx ends first.
func ReadFile(ctx context.Context, path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := Text(&counter{ctx: ctx, r: f})
	if err != nil {
		return nil, err
	}
	return io.ReadAll(text)
}

// Read reads a file of results; name is for errors and for columns. What is whole of a file
// that was cut off or whose benchmarks failed is read, and Incomplete says what is missing. So
// does a line with a value that no measurement can have. Read returns an error if there is no
// result.
func Read(r io.Reader, name string) (*File, error) {
	text, err := Text(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	lines := &lines{r: bufio.NewReaderSize(text, longest)}
	reader := benchfmt.NewReader(lines, name)
	file, all, now := &File{Name: name}, samples{seed: maphash.MakeSeed()}, state{}
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.Result:
			if why := unsound(record); why != "" {
				lines.miss(fmt.Sprintf("line %d: %s", lines.n, why))
				continue
			}
			all.add(now.of(record, lines.provenance, name), lines)
		case *benchfmt.SyntaxError: // which benchstat skips, too
			file.Notes = append(file.Notes, fmt.Sprintf("line %d is skipped (%s): %q", record.Line, record.Msg, lines.text))
		}
	}
	switch {
	case lines.err != nil:
		return nil, fmt.Errorf("%s: %w", name, lines.err)
	case reader.Err() != nil:
		return nil, fmt.Errorf("%w: this is no file of benchmark results", reader.Err())
	case all.results == nil:
		err := fmt.Errorf("%s: no benchmark results in it", name)
		for _, more := range slices.Concat(lines.missing, file.Notes) {
			err = fmt.Errorf("%w; %s", err, more)
			break
		}
		return nil, err
	}
	file.Units = reader.Units()
	if now.suffixes {
		alone(all.results)
	}
	file.Incomplete = lines.says()
	var copies []string
	file.Results, copies = all.single()
	file.Notes = few(append(file.Notes, copies...))
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

// unsound says which value of a result is no measurement; empty: all can be used.
func unsound(r *benchfmt.Result) string {
	for _, v := range r.Values {
		value, unit := v.OrigValue, v.OrigUnit
		if unit == "" {
			value, unit = v.Value, v.Unit
		}
		switch {
		case math.IsNaN(value) || math.IsInf(value, 0):
			return fmt.Sprintf("%v %s is no measurement", value, unit)
		case value < 0:
			return fmt.Sprintf("%v %s is below zero", value, unit)
		}
	}
	return ""
}

// mostSaid is how many things of one kind a file says of itself.
const mostSaid = 5

// few shortens a list to mostSaid entries and their number.
func few(all []string) []string {
	if more := len(all) - mostSaid; more > 0 {
		return append(all[:mostSaid:mostSaid], fmt.Sprintf("and %d more", more))
	}
	return all
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
