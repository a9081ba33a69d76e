// Package tty shows a program's progress, on terminals only.
package tty

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// Through is the environment variable that tells a program that its standard
// error ends at a terminal although it is a pipe: its parent passes it on.
const Through = "SHMBENCH_TERMINAL"

// Is reports whether w is a terminal, or leads to one. A writer with a method Unwrap leads
// to the writer that Unwrap returns.
func Is(w io.Writer) bool {
	if wrapper, ok := w.(interface{ Unwrap() io.Writer }); ok {
		return Is(wrapper.Unwrap())
	}
	f, ok := w.(*os.File)
	return ok && (isTerminal(f) || f == os.Stderr && os.Getenv(Through) != "")
}

// Color reports whether to write to w in color: on terminals only, and not where the
// environment variable NO_COLOR is set (https://no-color.org) or the terminal is dumb.
func Color(w io.Writer) bool {
	return colored(Is(w), os.Getenv)
}

func colored(terminal bool, getenv func(string) string) bool {
	return terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// Progress is one line on a terminal that is overwritten as work is done. On
// anything but a terminal it prints nothing. It is used by one goroutine.
type Progress struct {
	w     io.Writer // nil if silent
	total int
	start time.Time
	now   func() time.Time
	shown bool // and counted in showing

	expected time.Duration // of the whole job, 0 if that is not known
}

// NewProgress returns the progress line on w of a job of total steps, 0 if
// that is not known yet.
func NewProgress(w io.Writer, total int) *Progress {
	p := &Progress{total: total, now: time.Now}
	if Is(w) {
		p.w = w
		p.show(true)
	}
	p.start = p.now()
	return p
}

// Expect says how long the job takes at least, which is shown until a step is done.
func (p *Progress) Expect(d time.Duration) { p.expected = d }

// Of is At for a job that learns on the way of how many steps it is.
func (p *Progress) Of(done, total int, doing string) {
	p.total = total
	p.At(done, doing)
}

// At shows the number of steps that are done, the time left if the rest take as long as they
// did, and the current step.
func (p *Progress) At(done int, doing string) {
	if p.w == nil {
		return
	}
	p.show(true)
	left := "time left unknown"
	if p.expected > 0 {
		left = "at least " + p.expected.Round(time.Second).String() + " left"
	}
	if done > 0 {
		spent := p.now().Sub(p.start)
		rest := spent * time.Duration(p.total-done) / time.Duration(done)
		left = rest.Round(time.Second).String() + " left"
	}
	fmt.Fprintf(p.w, "\r%d/%d, %s: %s\x1b[K", done, p.total, left, doing)
}

// Clear removes the line, so that something else can be printed.
func (p *Progress) Clear() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.show(false)
	}
}

// show counts the line in showing while it is shown: also again after it was cleared.
func (p *Progress) show(shown bool) {
	if shown != p.shown {
		p.shown = shown
		showing.Add(map[bool]int32{true: 1, false: -1}[shown])
	}
}

// showing counts the progress lines that are not cleared.
var showing atomic.Int32

// Elapsed shows on w, if that is a terminal, for how long something has been
// going on: from two seconds on, and where no Progress tells more. stop ends
// it.
func Elapsed(w io.Writer, doing string) (stop func()) {
	if !Is(w) {
		return func() {}
	}
	return elapsed(w, doing, time.Tick(time.Second))
}

func elapsed(w io.Writer, doing string, ticks <-chan time.Time) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		shown := false
		for seconds := 1; ; seconds++ {
			select {
			case <-end:
				if shown {
					fmt.Fprint(w, "\r\x1b[K")
				}
				return
			case <-ticks:
			}
			if seconds >= 2 && showing.Load() == 0 {
				fmt.Fprintf(w, "\r%s: %ds\x1b[K", doing, seconds)
				shown = true
			}
		}
	}()
	return func() { close(end); <-ended }
}
