package cli

import (
	"errors"
	"io"
	"sync"
	"syscall"
)

// output is standard output. It remembers what goes wrong with it, so that no
// verb can forget to, and takes no more once the verb has been given up.
type output struct {
	w io.Writer

	mu     sync.Mutex
	begun  bool // something was written
	closed bool
	err    error
}

// Unwrap returns the writer that gets the output.
func (o *output) Unwrap() io.Writer { return o.w }

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return len(p), nil
	}
	if o.err != nil {
		return 0, o.err
	}
	o.begun = true
	n, err := io.WriteString(o.w, Printable(string(p)))
	if errors.Is(err, syscall.EPIPE) {
		// The reader has seen enough. That ends no measurement, and changes no
		// verdict.
		o.closed = true
		return len(p), nil
	}
	if o.err = err; err != nil {
		return min(n, len(p)), err
	}
	return len(p), nil
}

// close makes the output ignore what is written from now on, and reports
// whether anything has been written, and what went wrong.
func (o *output) close() (begun bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	return o.begun, o.err
}
