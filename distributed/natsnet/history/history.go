// Package history writes and reads the histories that the nodes of a run leave
// behind. The package also contains the judge. The judge decides from these histories
// whether the run kept mutual exclusion. The judge knows nothing of the algorithm.
package history

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"shmbench/distributed"
)

// A Process identifies a process that wrote the history of a node.
type Process struct {
	Run       string // the fingerprint of the run's name
	Algorithm string
	Node      distributed.ID
	Nodes     int
	PID       int
	Clock     string // the name of the clock that Now reads; "-" if the system does not name the clock
}

// Clock returns the name of the clock that Now reads. The times of two processes are
// comparable if their clocks have the same name. Clock returns "-" if the system does
// not name the clock.
func Clock() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if name := strings.TrimSpace(string(b)); err == nil && isWord(name) {
		return name
	}
	return "-"
}

// An Entry is one passage of a thread through its critical section. All times come from Now.
type Entry struct {
	PID     int
	Node    distributed.ID
	Thread  distributed.Thread
	Asked   int64
	Entered int64             // 0: the thread had not entered when the history ended
	Left    int64             // 0: the thread had not left when the history ended
	Fence   distributed.Fence // the token of the permission
	Local   int64             // the part of the wait between the thread and its node
	Write   Write
	Value   int64 // the value that the thread read from the counter of the resource
}

// A Write is the outcome of the write of an entry to the resource.
type Write string

// The outcomes of a write.
const (
	None    Write = "none"    // the thread wrote to no resource
	Taken   Write = "taken"   // the resource took the write and holds Value+1
	Refused Write = "refused" // the resource had seen a greater token
)

// A Writer writes the history of a process while the process runs. Therefore the
// history is complete up to the end of the process, even if a kill ends the process.
type Writer struct {
	mu    sync.Mutex
	w     io.Writer
	lines int // since the first
	ended bool
}

// NewWriter begins the history of process p.
func NewWriter(w io.Writer, p Process) (*Writer, error) {
	_, err := io.WriteString(w, p.line())
	return &Writer{w: w}, err
}

// version is the version of the form of histories.
const version = 3

// Each line ends with a dot, so that no beginning of a line is a line.

func (p *Process) line() string {
	return fmt.Sprintf("begin %d %s %s %d %d %d %s .\n", version, p.Run, p.Algorithm, p.Node, p.Nodes, p.PID, p.Clock)
}

func (e *Entry) ask() string { return fmt.Sprintf("ask %d %d .\n", e.Thread, e.Asked) }

func (e *Entry) enter() string {
	return fmt.Sprintf("enter %d %d %d %d %d %d .\n", e.Thread, e.Asked, e.Entered, e.Fence.Epoch, e.Fence.Count, e.Local)
}

func (e *Entry) leave() string {
	return fmt.Sprintf("leave %d %d %d %d %d %d %d %s %d .\n", e.Thread, e.Asked, e.Entered, e.Fence.Epoch, e.Fence.Count, e.Local, e.Left, e.Write, e.Value)
}

// endLine is the last line of a process that was not killed. It tells a whole history
// from one that was cut at the end of a line, or lost lines.
func endLine(lines int) string { return fmt.Sprintf("end %d .\n", lines) }

// Ask records that a thread requests the critical section.
func (w *Writer) Ask(e *Entry) error { return w.write(e.ask()) }

// Enter records that a thread has entered the critical section.
func (w *Writer) Enter(e *Entry) error { return w.write(e.enter()) }

// Leave records that a thread is about to leave the critical section.
func (w *Writer) Leave(e *Entry) error { return w.write(e.leave()) }

// End records that the process ends. The history takes nothing more.
func (w *Writer) End() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return nil
	}
	w.ended = true
	_, err := io.WriteString(w.w, endLine(w.lines))
	return err
}

// write writes a line in one system call, so that a kill leaves no half of it
// unless the disk is full.
func (w *Writer) write(line string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return os.ErrClosed
	}
	w.lines++
	_, err := io.WriteString(w.w, line)
	w.ended = err != nil // half a line may be there, which ends the history
	return err
}
