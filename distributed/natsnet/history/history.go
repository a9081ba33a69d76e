// Package history is what a run leaves behind and how it is judged from outside,
// by who knows nothing of the algorithm.
package history

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"shmbench/distributed"
)

// Now reads CLOCK_MONOTONIC in ns, which all processes of a machine read alike.
func Now() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic(err)
	}
	return t.Nano()
}

// An Entry is one thread's way through its critical section. Times are Now's.
type Entry struct {
	PID     int
	Node    distributed.ID
	Thread  distributed.Thread
	Asked   int64
	Entered int64             // 0: not before the end of the history
	Left    int64             // likewise
	Fence   distributed.Fence // of the permission
	Local   int64             // of the wait: between the thread and its node
	Refused bool              // by the resource: the token was old
}

// A Writer writes a node's part of a history as it happens, so that it is there
// however the node ends.
type Writer struct {
	w    io.Writer
	node distributed.ID
}

// NewWriter makes the writer of the given node.
func NewWriter(w io.Writer, node distributed.ID) *Writer { return &Writer{w, node} }

// line writes one line in one write.
func (w *Writer) line(kind string, t distributed.Thread, e *Entry) error {
	_, err := fmt.Fprintf(w.w, "%s %d %d %d %d %d %d %d %d %d %t\n", kind, os.Getpid(), w.node, t, e.Asked, e.Entered, e.Left, e.Fence.Epoch, e.Fence.Count, e.Local, e.Refused)
	return err
}

// Ask, Enter and Leave write that a thread asks, that it has entered, and that it
// is about to leave.
func (w *Writer) Ask(e *Entry) error   { return w.line("ask", e.Thread, e) }
func (w *Writer) Enter(e *Entry) error { return w.line("enter", e.Thread, e) }
func (w *Writer) Leave(e *Entry) error { return w.line("leave", e.Thread, e) }

// Read reads what a Writer has written and adds it to entries. A last line that is
// cut off, as when the node was killed, is left out.
func Read(r io.Reader, entries []Entry) ([]Entry, error) {
	open := map[[2]int32]int{} // of a thread: its entry that has not ended
	b := bufio.NewReader(r)
	for {
		line, err := b.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return entries, nil
		}
		if err != nil {
			return nil, err
		}
		var kind string
		var e Entry
		if _, err := fmt.Sscanf(line, "%s %d %d %d %d %d %d %d %d %d %t\n", &kind, &e.PID, &e.Node, &e.Thread, &e.Asked, &e.Entered, &e.Left, &e.Fence.Epoch, &e.Fence.Count, &e.Local, &e.Refused); err != nil {
			return nil, fmt.Errorf("a line of a history: %q: %w", line, err)
		}
		who := [2]int32{int32(e.Node), int32(e.Thread)}
		at, is := open[who]
		switch {
		case kind == "ask" && !is:
			open[who] = len(entries)
			entries = append(entries, e)
			continue
		case (kind == "enter" || kind == "leave") && is:
			entries[at] = e
		default:
			return nil, fmt.Errorf("a line of a history out of place: %q", line)
		}
		if kind == "leave" {
			delete(open, who)
		}
	}
}
