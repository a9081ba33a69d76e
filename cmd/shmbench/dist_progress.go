package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress is one line on a terminal that says how much is done and how long
// the rest will take. Elsewhere it shows nothing.
type progress struct {
	w     io.Writer // nil: not a terminal
	what  string
	start time.Time
	shown time.Time
}

func newProgress(w io.Writer, what string) *progress {
	p := &progress{what: what, start: time.Now()}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.w = w
		}
	}
	return p
}

// show says that done of all are done.
func (p *progress) show(done, of int) {
	now := time.Now()
	if p.w == nil || now.Sub(p.shown) < 200*time.Millisecond {
		return
	}
	p.shown = now
	left := time.Duration(float64(now.Sub(p.start)) / float64(done) * float64(of-done))
	fmt.Fprintf(p.w, "\r%d of %d %s, about %v left\x1b[K", done, of, p.what, left.Round(time.Second))
}

// clear takes the line away.
func (p *progress) clear() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
