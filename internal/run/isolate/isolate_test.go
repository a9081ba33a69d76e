package isolate_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/run/isolate"
)

func TestMain(m *testing.M) {
	isolate.Serve(context.Background(), "count", func(_ context.Context, n int, tell func(int) error) error {
		for i := range n {
			if err := tell(i); err != nil {
				return err
			}
		}
		if n == 3 {
			return errors.New("no more")
		}
		return nil
	})
	isolate.Child(context.Background(), "greet", func(ctx context.Context, q string) (string, error) {
		switch q {
		case "fail":
			return "", errors.New("cannot")
		case "crash":
			panic("crashed")
		case "exit":
			fmt.Println(`{"answer": "answered"}`)
			os.Exit(66)
		case "wait":
			<-ctx.Done()
		case "hang":
			select {}
		}
		return q + "!", nil
	})
	os.Exit(m.Run())
}

func ask(ctx context.Context, q string) (string, error) {
	return isolate.Ask[string, string](ctx, os.Args[0], "greet", q)
}

func TestAsk(t *testing.T) {
	a, err := ask(t.Context(), "hello")
	require.NoError(t, err)
	require.Equal(t, "hello!", a)

	var crash *isolate.Crash
	_, err = ask(t.Context(), "fail")
	require.EqualError(t, err, "cannot")
	a, err = ask(t.Context(), strings.Repeat("long", 1<<18)) // more than a pipe holds
	require.NoError(t, err)
	require.Len(t, a, 1<<20+1)
	_, err = ask(t.Context(), "crash")
	require.ErrorAs(t, err, &crash)
	require.Contains(t, crash.Stderr, "panic: crashed")
	a, err = ask(t.Context(), "exit")
	require.ErrorAs(t, err, &crash)
	require.Equal(t, "answered", a)
}

// TestConverse: a child gives its answers as they come, and ends with its own error or with
// that of the parent, which hears no more.
func TestConverse(t *testing.T) {
	for n, want := range map[int]string{0: "", 2: "", 3: "no more", 1_000_000: "enough"} {
		var heard []int
		err := isolate.Converse(t.Context(), os.Args[0], "count", n, func(i int) error {
			heard = append(heard, i)
			if i == 7 {
				return errors.New("enough")
			}
			return nil
		})
		if want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
		require.Len(t, heard, min(n, 8))
	}
}

// TestInterrupt: a canceled child may answer with what it has.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	a, err := ask(ctx, "wait")
	if err == nil { // else the child had not got as far as to wait
		require.Equal(t, "wait!", a)
	}
}

// TestEnded: the end of a program by a signal is this program's own end if the signal comes here, too, a moment later. The end by SIGKILL
// is not, nor is any other.
func TestEnded(t *testing.T) {
	require.NoError(t, isolate.Ended(t.Context(), nil))
	start := errors.New("not started")
	require.Equal(t, start, isolate.Ended(t.Context(), start))
	for _, c := range []struct {
		script        string
		here, isAlone bool // whether the signal comes here, too, and what ends is that program alone
	}{
		{"kill -INT $$", true, false},
		{"kill -INT $$", false, true},
		{"kill -KILL $$", true, true},
		{"exit 2", true, true},
	} {
		ended := exec.Command("sh", "-c", c.script).Run()
		want := ended
		if !c.isAlone {
			want = context.Canceled
		}
		err := error(nil)
		for left := 50; left > 0 && err != want; left-- { // on a busy machine a moment can be long
			ctx, cancel := context.WithCancel(t.Context())
			if c.here {
				time.AfterFunc(20*time.Millisecond, cancel)
			}
			err = isolate.Ended(ctx, ended)
			cancel()
		}
		require.Equal(t, want, err, c.script)
	}
}
