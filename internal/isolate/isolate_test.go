package isolate_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/internal/isolate"
)

func TestMain(m *testing.M) {
	isolate.Child(context.Background(), func(ctx context.Context, q string) (string, error) {
		switch q {
		case "fail":
			return "", errors.New("cannot")
		case "crash":
			panic("crashed")
		case "exit":
			fmt.Printf("%q\n", "answered")
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
	return isolate.Ask[string, string](ctx, os.Args[0], q)
}

func TestAsk(t *testing.T) {
	a, err := ask(t.Context(), "hello")
	require.NoError(t, err)
	require.Equal(t, "hello!", a)

	var crash *isolate.Crash
	_, err = ask(t.Context(), "fail")
	require.ErrorAs(t, err, &crash)
	require.Equal(t, "cannot\n", crash.Stderr)
	_, err = ask(t.Context(), "crash")
	require.ErrorAs(t, err, &crash)
	require.Contains(t, crash.Stderr, "panic: crashed")
	a, err = ask(t.Context(), "exit")
	require.ErrorAs(t, err, &crash)
	require.Equal(t, "answered", a)
}

// TestInterrupt: a cancelled child may answer with what it has.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	a, err := ask(ctx, "wait")
	if err == nil { // else the child had not got as far as to wait
		require.Equal(t, "wait!", a)
	}
}
