package benchfile

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/perf/benchfmt"
)

// File is the contents of one file of results.
type File struct {
	Name    string
	Results []*benchfmt.Result
	Units   benchfmt.UnitMetadataMap
}

// Open reads the file called path.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path)
}

// Read reads a file of results; name is for errors and for columns. It returns
// an error if a line is broken off or malformed, or if there is no result: a
// file that was cut short, or one that is something else.
func Read(r io.Reader, name string) (*File, error) {
	whole := &tail{r: r}
	reader := benchfmt.NewReader(whole, name)
	file := &File{Name: name}
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.Result:
			result := record.Clone()
			result.SetConfig(".file", name)
			file.Results = append(file.Results, result)
		case *benchfmt.SyntaxError:
			return nil, fmt.Errorf("%v: this is no whole file of benchmark results", record)
		}
	}
	if err := reader.Err(); err != nil {
		return nil, fmt.Errorf("%w: this is no file of benchmark results", err)
	}
	if len(file.Results) == 0 {
		return nil, fmt.Errorf("%s: no benchmark results in it", name)
	}
	file.Units = reader.Units()
	if whole.last != '\n' {
		return nil, errors.New(name + ": the last line is broken off: remove it to use the rest")
	}
	return file, nil
}

// tail remembers the last byte read.
type tail struct {
	r    io.Reader
	last byte
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if n > 0 {
		t.last = p[n-1]
	}
	return n, err
}
