// Package isolate runs a function of a program in a process of its own. If the function
// hangs, crashes or uses up processors, that ends with the process.
//
// A parent asks a program for a service. The question travels on the child's standard input,
// as JSON, and the answers on its standard output, a JSON value each.
package isolate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// service is the environment variable that names the service that a child is asked for.
const service = "SHMBENCH_SERVICE"

// asked is the question to this program, which Tied reads.
var asked = make(chan json.RawMessage, 1)

// Question is Command of a program that is asked for a service.
func Question(ctx context.Context, program, name string, q any) (*exec.Cmd, error) {
	text, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	cmd, in, err := Talk(ctx, program)
	if err != nil {
		return nil, err
	}
	cmd.Env = append(cmd.Env, service+"="+name)
	go in.Write(append(text, '\n')) // a child that ends without reading it says why
	return cmd, nil
}

// Asked reads the question to this program, if it is asked for the service. Tied must have
// been called.
func Asked(name string, q any) (bool, error) {
	if os.Getenv(service) != name {
		return false, nil
	}
	os.Unsetenv(service) // children of this program's own are not asked
	return true, json.Unmarshal(<-asked, q)
}

// said is what a child prints: an answer, or the error that ended it.
type said[A any] struct {
	Answer *A     `json:"answer,omitempty"`
	Error  string `json:"error,omitempty"`
}

// Serve is called first in main. In a program that is asked for the service it answers
// the question, by telling any number of answers, and ends the program; otherwise it does
// nothing.
func Serve[Q, A any](ctx context.Context, name string, answer func(ctx context.Context, q Q, tell func(A) error) error) {
	if os.Getenv(service) != name {
		return
	}
	ctx = Tied(ctx, func() { os.Exit(2) })
	var q Q
	_, err := Asked(name, &q)
	out := json.NewEncoder(os.Stdout)
	if err == nil {
		err = answer(ctx, q, func(a A) error { return out.Encode(said[A]{Answer: &a}) })
	}
	if err != nil {
		out.Encode(said[A]{Error: err.Error()})
		os.Exit(2)
	}
	os.Exit(0)
}

// Child is Serve for a service of one answer.
func Child[Q, A any](ctx context.Context, name string, answer func(context.Context, Q) (A, error)) {
	Serve(ctx, name, func(ctx context.Context, q Q, tell func(A) error) error {
		a, err := answer(ctx, q)
		if err != nil {
			return err
		}
		return tell(a)
	})
}

// A Crash is a child that ended without an answer and without an error. It is also a child
// that answered and ended with a bad exit status, as after a report of the race detector.
type Crash struct {
	Err    error
	Stderr string
}

func (c *Crash) Error() string {
	return fmt.Sprintf("%v: %s", c.Err, bytes.TrimSpace([]byte(c.Stderr)))
}

// Killed reports whether SIGKILL ended the child. A program does not end itself so: another
// program or the system did it.
func (c *Crash) Killed() bool {
	var exit *exec.ExitError
	return errors.As(c.Err, &exit) && killed(exit)
}

// Running is a child that has been asked, and whose answers have not been heard.
type Running[A any] struct {
	ctx    context.Context
	stop   func()
	cmd    *exec.Cmd
	out    io.Reader
	stderr bytes.Buffer
}

// Start runs program, which is this program or another that calls Serve, as a child with
// question q. The function prepare, if it is not nil, changes the command first. Hear must be
// called.
func Start[Q, A any](ctx context.Context, program, name string, q Q, prepare func(*exec.Cmd)) (*Running[A], error) {
	running, stop := context.WithCancel(ctx)
	r := &Running[A]{ctx: ctx, stop: stop}
	err := error(nil)
	if r.cmd, err = Question(running, program, name, q); err == nil {
		r.cmd.Stderr = &r.stderr
		if prepare != nil {
			prepare(r.cmd)
		}
		r.out, err = r.cmd.StdoutPipe()
	}
	if err == nil {
		err = r.cmd.Start()
	}
	if err != nil {
		stop()
		return nil, err
	}
	return r, nil
}

// Process returns the process of the child.
func (r *Running[A]) Process() *os.Process { return r.cmd.Process }

// Hear calls hear with each answer of the child, and returns when the child has ended and is
// reaped. If the context of Start is canceled, the child has a second to answer with its
// results so far. The error is then that of the context. An error of hear ends the child.
func (r *Running[A]) Hear(hear func(A) error) error {
	defer r.stop()
	broken, refused := heard(json.NewDecoder(r.out), hear)
	if broken != nil || refused != nil {
		r.stop()
	}
	io.Copy(io.Discard, r.out)
	err := Ended(r.ctx, r.cmd.Wait())
	switch {
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case refused != nil:
		return refused
	case err != nil && (broken == nil || r.stderr.Len() > 0):
		return &Crash{Err: err, Stderr: r.stderr.String()}
	}
	return broken
}

// Converse is Start and Hear.
func Converse[Q, A any](ctx context.Context, program, name string, q Q, hear func(A) error) error {
	r, err := Start[Q, A](ctx, program, name, q, nil)
	if err != nil {
		return err
	}
	return r.Hear(hear)
}

// heard hands on the answers of a child to the last one. Broken is the error if what the
// child prints is no answer, and refused that of the child or of hear.
func heard[A any](answers *json.Decoder, hear func(A) error) (broken, refused error) {
	for {
		var s said[A]
		err := answers.Decode(&s)
		switch {
		case errors.Is(err, io.EOF):
			return nil, nil
		case err != nil:
			return err, nil
		case s.Error != "":
			return nil, errors.New(s.Error)
		case s.Answer == nil:
			return errors.New("the answer is empty"), nil
		}
		if err := hear(*s.Answer); err != nil {
			return nil, err
		}
	}
}

// Ask is Converse with a program that gives one answer. A *Crash may come with an answer.
func Ask[Q, A any](ctx context.Context, program, name string, q Q) (a A, err error) {
	answered := false
	err = Converse(ctx, program, name, q, func(one A) error {
		a, answered = one, true
		return nil
	})
	switch {
	case answered && ctx.Err() != nil:
		return a, nil
	case !answered && err == nil:
		return a, &Crash{Err: errors.New("no answer")}
	}
	return a, err
}
