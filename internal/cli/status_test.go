package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestStatus: the exit status of an error, and what the program says about it.
func TestStatus(t *testing.T) {
	missing := &fs.PathError{Op: "open", Path: "f", Err: syscall.ENOENT}
	for _, c := range []struct {
		err  error
		code int
		says string
	}{
		{nil, Holds, ""},
		{fmt.Errorf("x: %w", ErrViolated), Violated, ""},
		{CutShort("%d of %d", 1, 2), Undecided, "1 of 2"},
		{fmt.Errorf("x: %w", CutShort("1 of 2")), Undecided, "1 of 2"},
		{context.Canceled, Undecided, "interrupted"},
		{errors.New("wrong"), Usage, "wrong"},
		{childStatus(7), 7, ""},
		{childStatus(0), 0, ""},
		{missing, Usage, "f: there is no such file"},
		{fmt.Errorf("x: %w", missing), Usage, "x: f: there is no such file"},
		{fmt.Errorf("f: %w", missing), Usage, "f: there is no such file"},
		{&fs.PathError{Op: "read", Path: "f", Err: syscall.EISDIR}, Usage, "f: this is a folder: name a file in it"},
		{&fs.PathError{Op: "open", Path: "f", Err: errors.New("denied")}, Usage, "open f: denied"},
	} {
		code, says := status(c.err)
		require.Equal(t, c.code, code, c.err)
		require.Equal(t, c.says, says, c.err)
	}
	require.EqualError(t, childStatus(7), "exit status 7")
}

// TestInterrupted: work is given up once the context has ended, and only then.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, Interrupted(ctx, "%d of %d", 1, 2))
	require.NoError(t, Within(ctx, func() error { return nil }))
	require.EqualError(t, Within(ctx, func() error { return errText("wrong") }), "wrong")
	cancel()
	require.EqualError(t, Interrupted(ctx, "%d of %d", 1, 2), "interrupted: 1 of 2")

	block := make(chan struct{})
	ended, err := within(ctx, 1, func() error { <-block; return errText("wrong") })
	require.False(t, ended)
	require.NoError(t, err)
	close(block)

	ctx, cancel = context.WithCancel(t.Context())
	ended, err = within(ctx, time.Hour, func() error { cancel(); return errText("late") })
	require.True(t, ended, "work that ends soon is waited for")
	require.EqualError(t, err, "late")
}

// TestUnpanicked: a panic is an error of one line, unless the user wants the stack.
func TestUnpanicked(t *testing.T) {
	t.Setenv("GOTRACEBACK", "")
	require.EqualError(t, unpanicked(func() error { panic("one\ntwo") }), "a fault of the program itself, please report it (with GOTRACEBACK=all there is a stack): one")
	require.EqualError(t, unpanicked(func() error { return errText("wrong") }), "wrong")
	t.Setenv("GOTRACEBACK", "all")
	require.PanicsWithValue(t, "one", func() { _ = unpanicked(func() error { panic("one") }) })
}

// TestRunChild: the verb ends with the exit status of the program that does its work.
func TestRunChild(t *testing.T) {
	own := func(args ...string) *exec.Cmd { return exec.Command(os.Args[0], args...) }
	require.Equal(t, childStatus(0), RunChild(t.Context(), own("-test.run=^$")))
	require.Equal(t, childStatus(2), RunChild(t.Context(), own("-nosuchflag")))
	require.ErrorIs(t, RunChild(t.Context(), exec.Command("./nosuch")), os.ErrNotExist)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, context.Canceled, RunChild(ctx, exec.Command("./nosuch")))
}

// TestFirst: the first error counts.
func TestFirst(t *testing.T) {
	require.NoError(t, First())
	require.NoError(t, First(nil, nil))
	require.Equal(t, errText("a"), First(nil, errText("a"), errText("b")))
}
