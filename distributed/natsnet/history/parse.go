package history

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"shmbench/distributed"
)

// A History is the content of one history file. The file holds the history of one
// node, from one process or from several processes, one after the other.
type History struct {
	Processes []Process // at least one
	Entries   []Entry
	Unended   int // processes whose histories have no end: lines may be missing there
}

// maxLine is the length of the longest line, in bytes. maxEntries is how many
// entries one history may have.
const (
	maxLine    = 512
	maxEntries = 1 << 22
)

// Read reads a history that Writers have written, and refuses any other input. Read
// leaves out a line that a kill has cut off.
func Read(r io.Reader) (*History, error) {
	p := &parser{open: map[distributed.Thread]int{}, left: map[distributed.Thread]int64{}}
	b := bufio.NewReaderSize(r, maxLine)
	for number := 1; ; number++ {
		text, err := b.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, fmt.Errorf("line %d has more than %d bytes; it begins with %q", number, maxLine, clip(string(text)))
		case errors.Is(err, io.EOF):
			return p.end()
		case err != nil:
			return nil, err
		}
		line := string(text)
		if begins := strings.HasPrefix(line, "begin "); p.bad != nil && !begins {
			return nil, p.bad
		}
		p.bad = nil
		if err := p.line(line); err != nil {
			// Perhaps a kill has cut the line off, before its dot. The next process of
			// the node begins a line of its own.
			p.bad = fmt.Errorf("line %d, %q: %w", number, clip(strings.TrimSuffix(line, "\n")), err)
			if strings.HasSuffix(line, " .\n") || p.process == nil {
				return nil, p.bad
			}
		}
	}
}

// clip returns the beginning of a long text.
func clip(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

// parser is how far a history has been read.
type parser struct {
	history History
	process *Process                     // the process that wrote the line; nil before the first line
	open    map[distributed.Thread]int   // the thread's entry that has not ended
	left    map[distributed.Thread]int64 // when the thread left last
	lines   int                          // of the process, behind its first
	ended   bool                         // the process wrote its last line
	bad     error                        // what is wrong with the last line
}

func (p *parser) end() (*History, error) {
	switch {
	case p.bad != nil:
		return nil, p.bad
	case p.process == nil:
		return nil, errors.New("it is empty: a history begins with a line \"begin\"")
	case !p.ended:
		p.history.Unended++
	}
	return &p.history, nil
}

// line takes one line, with its end.
func (p *parser) line(line string) error {
	kind, _, _ := strings.Cut(line, " ")
	if kind != "begin" && p.process == nil {
		return errors.New("a history begins with a line \"begin\"")
	}
	if p.ended && kind != "begin" {
		return errors.New("the process has ended its history before")
	}
	f := fields{words: strings.Split(strings.TrimSuffix(line, "\n"), " ")[1:]}
	if kind == "begin" {
		return p.begin(&f, line)
	}
	if kind == "end" {
		return p.last(&f, line)
	}
	p.lines++
	switch kind {
	case "ask":
		return p.ask(&f, line)
	case "enter":
		return p.enter(&f, line)
	case "leave":
		return p.leave(&f, line)
	}
	return errors.New("a line is begin, ask, enter, leave or end")
}

var errForm = errors.New("it is not in the form that a node writes")

func (p *parser) begin(f *fields, line string) error {
	if v := f.int(); v != version {
		return fmt.Errorf("the history has form %d, and this program reads form %d", v, version)
	}
	n := Process{Run: f.word(), Algorithm: f.word(), Node: distributed.ID(f.int32()), Nodes: int(f.int32()), PID: int(f.int32()), Clock: f.word()}
	switch {
	case n.line() != line || !isWord(n.Run) || !isWord(n.Algorithm) || !isWord(n.Clock):
		return errForm
	case n.Node < 0 || int(n.Node) >= n.Nodes || n.PID < 1:
		return fmt.Errorf("there is no node %d of %d with process %d", n.Node, n.Nodes, n.PID)
	}
	if p.process != nil {
		if was := p.process; was.Run != n.Run || was.Algorithm != n.Algorithm || was.Node != n.Node || was.Nodes != n.Nodes {
			return fmt.Errorf("the file holds histories of different runs or nodes: before, that of node %d of %d, %s, run %s", was.Node, was.Nodes, was.Algorithm, was.Run)
		}
	}
	if p.process != nil && !p.ended {
		p.history.Unended++
	}
	p.history.Processes = append(p.history.Processes, n)
	p.process, p.lines, p.ended = &n, 0, false
	clear(p.open)
	clear(p.left)
	return nil
}

// last takes the last line of a process, which says how many lines are before it.
func (p *parser) last(f *fields, line string) error {
	switch n := f.int(); {
	case endLine(int(n)) != line:
		return errForm
	case int(n) != p.lines:
		return fmt.Errorf("the process wrote %d lines before this one, and the file has %d of them: it was edited", n, p.lines)
	}
	p.ended = true
	return nil
}

func (p *parser) ask(f *fields, line string) error {
	e := Entry{PID: p.process.PID, Node: p.process.Node, Thread: distributed.Thread(f.int32()), Asked: f.int()}
	_, open := p.open[e.Thread]
	switch {
	case e.ask() != line:
		return errForm
	case e.Thread < 0 || e.Asked <= 0:
		return errors.New("a number is too small")
	case open:
		return fmt.Errorf("thread %d asks before it has left", e.Thread)
	case e.Asked < p.left[e.Thread]:
		return fmt.Errorf("thread %d asks at %d, before it left at %d", e.Thread, e.Asked, p.left[e.Thread])
	case len(p.history.Entries) == maxEntries:
		return fmt.Errorf("a history of more than %d entries", maxEntries)
	}
	p.open[e.Thread] = len(p.history.Entries)
	p.history.Entries = append(p.history.Entries, e)
	return nil
}

// entered reads the fields that "enter" and "leave" have in common.
func (p *parser) entered(f *fields) Entry {
	e := Entry{PID: p.process.PID, Node: p.process.Node, Thread: distributed.Thread(f.int32()), Asked: f.int(), Entered: f.int()}
	e.Fence = distributed.Fence{Epoch: f.int(), Count: f.int()}
	e.Local = f.int()
	return e
}

func (p *parser) enter(f *fields, line string) error {
	e := p.entered(f)
	if e.enter() != line {
		return errForm
	}
	at, open := p.open[e.Thread]
	switch {
	case !open || p.history.Entries[at].Entered != 0:
		return fmt.Errorf("thread %d enters and has not asked", e.Thread)
	case e.Asked < p.history.Entries[at].Asked || e.Entered < e.Asked:
		return fmt.Errorf("thread %d asks at %d and enters at %d, after it asked at %d", e.Thread, e.Asked, e.Entered, p.history.Entries[at].Asked)
	case e.Fence.Epoch < 0 || e.Fence.Count < 1 || e.Local < 0:
		return errors.New("a number is too small")
	}
	p.history.Entries[at] = e
	return nil
}

func (p *parser) leave(f *fields, line string) error {
	e := p.entered(f)
	e.Left, e.Write, e.Value = f.int(), Write(f.word()), f.int()
	if e.leave() != line {
		return errForm
	}
	at, open := p.open[e.Thread]
	if !open || p.history.Entries[at].Entered == 0 {
		return fmt.Errorf("thread %d leaves and has not entered", e.Thread)
	}
	same := e
	same.Left, same.Write, same.Value = 0, "", 0
	switch {
	case p.history.Entries[at] != same:
		return fmt.Errorf("thread %d leaves another entry than the one that it entered", e.Thread)
	case e.Left < e.Entered:
		return fmt.Errorf("thread %d leaves at %d, before it entered at %d", e.Thread, e.Left, e.Entered)
	case e.Write != None && e.Write != Taken && e.Write != Refused:
		return fmt.Errorf("the write is %q: none, taken or refused", clip(string(e.Write)))
	case e.Value < 0:
		return errors.New("a number is too small")
	}
	p.history.Entries[at] = e
	p.left[e.Thread] = e.Left
	delete(p.open, e.Thread)
	return nil
}

// fields takes the words of a line, one after the other. What is missing or no
// number is 0 or "": the line that is made of it then differs from the one read.
type fields struct{ words []string }

func (f *fields) word() string {
	if len(f.words) == 0 {
		return ""
	}
	w := f.words[0]
	f.words = f.words[1:]
	return w
}

func (f *fields) int() int64 {
	v, _ := strconv.ParseInt(f.word(), 10, 64)
	return v
}

func (f *fields) int32() int32 {
	v, _ := strconv.ParseInt(f.word(), 10, 32)
	return int32(v)
}

// isWord reports whether s is a word as the fields of a history are.
func isWord(s string) bool {
	if s == "" || len(s) > 100 {
		return false
	}
	for _, r := range s {
		if r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return true
}
