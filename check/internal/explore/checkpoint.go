package explore

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// Checkpoint keeps explorations in a file, so that another program continues the last one. A
// program may explore several systems, as it does while it learns a lock. The file has the last
// system that was begun, and says which was the first.
//
// The file is a line of JSON and then records. A record has the states that a chunk has found, and
// where the exploration is after the chunk. A last record that is cut off is dropped.
type Checkpoint struct {
	name string
	file *os.File
	w    *bufio.Writer
	was  *checkpointHeader // of the file, if another program has begun it
	now  checkpointHeader  // of this program
	at   int64             // where the next record begins
	err  error

	states, levels int // that the file has
}

// checkpointHeader names the systems by their digests.
type checkpointHeader struct {
	Format string `json:"format"`
	Of     string `json:"of"`
	First  string `json:"first"`
	System string `json:"system"`
	Words  int    `json:"words"`
}

const checkpointFormat = "shmbench checkpoint 1"

// longestHeader is more than a header takes: a large file of something else is not read whole.
const longestHeader = 1 << 16

// record is where an exploration is.
type record struct {
	At, To uint32   // the next state that is expanded, and the first of the next level
	Levels []uint32 // further first states of levels
	States int      // further states
	Edges  int64
	Bad    map[Bad]uint32 // in levels that are done
	Noted  map[Bad]uint32 // in this level
}

// Digester is a system that can be told from others.
type Digester interface {
	System
	// Digest is the same for systems that have the same states and steps.
	Digest() string
}

// OpenCheckpoint opens the file of an exploration, or makes it. of says what is explored, and is refused
// if the file has something else.
func OpenCheckpoint(name, of string) (*Checkpoint, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	c := &Checkpoint{name: name, file: f, now: checkpointHeader{Format: checkpointFormat, Of: of}}
	if err := c.open(); err != nil {
		f.Close()
		return nil, err
	}
	return c, nil
}

func (c *Checkpoint) open() error {
	line, err := bufio.NewReader(io.LimitReader(c.file, longestHeader)).ReadBytes('\n')
	if err == io.EOF && len(line) == 0 {
		return nil
	}
	c.was = new(checkpointHeader)
	switch {
	case err != nil || json.Unmarshal(line, c.was) != nil || c.was.Format != checkpointFormat:
		return fmt.Errorf("%s is no checkpoint of this version: name another file, or remove it first", c.name)
	case c.was.Of != c.now.Of:
		return fmt.Errorf("%s is the checkpoint of %s, and this is %s: name another file", c.name, c.was.Of, c.now.Of)
	}
	c.at = int64(len(line))
	return nil
}

// Close closes the file and returns the first error that there was.
func (c *Checkpoint) Close() error { return errors.Join(c.err, c.file.Close()) }

// begin continues the exploration of a system if the file has it. Otherwise the exploration is kept
// from now on, unless the file may have a later system of this search.
func (c *Checkpoint) begin(e *explorer) (resumed bool) {
	digest := e.g.Sys.(Digester).Digest()
	if c.now.First == "" {
		c.now.First = digest
	}
	switch {
	case c.was == nil:
		c.create(digest, e.g.states.per)
		return false
	case c.was.First != c.now.First:
		c.err = fmt.Errorf("%s was made with another lock or by another version of shmbench: name another file, or remove it first", c.name)
		return false
	case c.was.System != digest:
		c.w = nil
		return false
	}
	c.err = c.resume(e)
	c.was = nil
	return c.err == nil && e.g.States > 0
}

// create begins the file anew.
func (c *Checkpoint) create(system string, words int) {
	c.now.System, c.now.Words, c.states, c.levels = system, words, 0, 0
	line, err := json.Marshal(c.now)
	if err == nil {
		err = c.file.Truncate(0)
	}
	if err == nil {
		c.at = int64(len(line)) + 1
		_, err = c.file.WriteAt(append(line, '\n'), 0)
	}
	c.err = err
	c.append()
}

// append makes the next record go to where the file ends.
func (c *Checkpoint) append() {
	if c.err == nil {
		_, c.err = c.file.Seek(c.at, io.SeekStart)
	}
	c.w = bufio.NewWriterSize(c.file, 1<<20)
}

// save writes a record.
func (c *Checkpoint) save(r record, e *explorer) {
	if c.w == nil || c.err != nil {
		return
	}
	g := e.g
	r.Levels, r.States = g.levels[c.levels:], g.States-c.states
	text, err := json.Marshal(r)
	if err != nil {
		c.err = err
		return
	}
	sum := crc32.NewIEEE()
	to := io.MultiWriter(c.w, sum)
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	to.Write(append(size, text...))
	var buf []byte
	for id := c.states; id < g.States; id++ {
		buf = buf[:0]
		for _, word := range g.states.at(uint32(id)) {
			buf = binary.LittleEndian.AppendUint64(buf, word)
		}
		to.Write(buf)
	}
	c.w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	c.err = c.w.Flush() // bufio keeps the first error
	c.states, c.levels = g.States, len(g.levels)
}

// resume reads all whole records, and drops what follows them.
func (c *Checkpoint) resume(e *explorer) error {
	g := e.g
	c.now.System, c.now.Words = c.was.System, c.was.Words
	if c.was.Words != g.states.per {
		return fmt.Errorf("%s has states of %d words, and not %d", c.name, c.was.Words, g.states.per)
	}
	if _, err := c.file.Seek(c.at, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(c.file, 1<<20)
	for {
		r, size, ok := c.read(in, e)
		if !ok {
			break
		}
		c.at += size
		e.continueAt(r)
	}
	c.states, c.levels = g.States, len(g.levels)
	if err := c.file.Truncate(c.at); err != nil {
		return err
	}
	c.append()
	return c.err
}

// read reads a record, and puts its states behind those that there are.
func (c *Checkpoint) read(in *bufio.Reader, e *explorer) (r record, size int64, ok bool) {
	sum := crc32.NewIEEE()
	from := io.TeeReader(in, sum)
	var word [8]byte
	if _, err := io.ReadFull(from, word[:4]); err != nil {
		return r, 0, false
	}
	length := binary.LittleEndian.Uint32(word[:4])
	if length > 1<<24 {
		return r, 0, false
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(from, text); err != nil || json.Unmarshal(text, &r) != nil || r.States < 0 || e.g.States+r.States > MostStates {
		return r, 0, false
	}
	e.grow(e.g.States + r.States)
	for id := range r.States {
		s := e.g.states.at(uint32(e.g.States + id))
		for k := range s {
			if _, err := io.ReadFull(from, word[:]); err != nil {
				return r, 0, false
			}
			s[k] = binary.LittleEndian.Uint64(word[:])
		}
	}
	want := sum.Sum32()
	if _, err := io.ReadFull(in, word[:4]); err != nil || binary.LittleEndian.Uint32(word[:4]) != want {
		return r, 0, false
	}
	return r, 4 + int64(length) + int64(r.States)*int64(e.g.states.per)*8 + 4, true
}
