// Package isolate runs a function of a program in a process of its own, so
// that what hangs, crashes or eats processors in it ends with that process.
package isolate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// marker is the environment variable that holds the question to a child.
const marker = "SHMBENCH_ISOLATED"

// Child is called first in main. In a child it answers the question and ends
// the program; otherwise it does nothing.
func Child[Q, A any](ctx context.Context, answer func(context.Context, Q) (A, error)) {
	text, ok := os.LookupEnv(marker)
	if !ok {
		return
	}
	ctx = Tied(ctx, func() { os.Exit(2) })
	var q Q
	err := json.Unmarshal([]byte(text), &q)
	if err == nil {
		var a A
		if a, err = answer(ctx, q); err == nil {
			err = json.NewEncoder(os.Stdout).Encode(a)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(0)
}

// A Crash is a child that ended without an answer, or with one and a bad exit
// status, as it does after the race detector has reported.
type Crash struct {
	Err    error
	Stderr string
}

func (c *Crash) Error() string {
	return fmt.Sprintf("%v: %s", c.Err, bytes.TrimSpace([]byte(c.Stderr)))
}

// Ask runs program, which is this program or another that calls Child, as a
// child with question q, and returns its answer. If ctx is cancelled the child
// has a second to answer with what it has. A *Crash may
// come with an answer.
func Ask[Q, A any](ctx context.Context, program string, q Q) (A, error) {
	var a A
	text, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	var stdout, stderr bytes.Buffer
	cmd, err := Command(ctx, program)
	if err != nil {
		return a, err
	}
	cmd.Env = append(cmd.Env, marker+"="+string(text))
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = Ended(ctx, cmd.Run())
	decoded := json.NewDecoder(&stdout).Decode(&a)
	switch {
	case decoded == nil && (err == nil || ctx.Err() != nil):
		return a, nil
	case ctx.Err() != nil:
		return a, ctx.Err()
	case err != nil:
		return a, &Crash{Err: err, Stderr: stderr.String()}
	case errors.Is(decoded, io.EOF):
		return a, &Crash{Err: errors.New("no answer"), Stderr: stderr.String()}
	}
	return a, decoded
}
