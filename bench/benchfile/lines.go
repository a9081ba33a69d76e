package benchfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"shmbench/internal/machine/topo"
	"shmbench/internal/results/gobench"
)

// longest is the most bytes of a line.
const longest = 64 << 10

// lines hands on what it reads line by line, and refuses what is no text of
// reasonable lines. It keeps what the lines say that benchfmt skips.
type lines struct {
	r    *bufio.Reader
	n    int    // lines read
	text string // of the last one
	rest []byte
	err  error // why the file is refused

	header bool // the lines after the last result have a header
	ending

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
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return fmt.Errorf("line %d is longer than %d bytes: this is no file of benchmark results", l.n+1, longest)
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case l.n > 0:
	case bytes.HasPrefix(line, []byte("\x1f\x8b")):
		return errors.New("it is compressed: unpack it with gunzip")
	case bytes.HasPrefix(line, []byte(`{"Time":`)):
		return errors.New("it is the output of go test -json: run the benchmarks without -json")
	}
	if len(line) == 0 {
		return nil
	}
	l.n++
	l.text = strings.TrimRight(string(line), "\r\n")
	l.rest = line
	if brokenOff := err != nil; l.ending.line(l.text, brokenOff) {
		l.rest = []byte("\n") // benchfmt counts lines
		return nil
	}
	l.note()
	return nil
}

// note keeps the provenance that a line has, and whether it belongs to a header.
func (l *lines) note() {
	fact, ok := gobench.ParseProvenance(l.text)
	switch {
	case !ok:
		key, _, _ := strings.Cut(l.text, " ")
		l.header = l.header || key == "Unit" || slices.Contains([]string{"goos:", "pkg:", formatKey + ":"}, key)
	case !gobench.IsConfiguration(fact.Key) && fact.Key != endedKey:
		l.provenance = append(slices.DeleteFunc(slices.Clone(l.provenance), func(p topo.Pair) bool { return p.Key == fact.Key }), fact)
	}
}
