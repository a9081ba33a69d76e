package topo

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/sample"
)

// sayEnv makes this test's program print its commit, and nothing else.
const sayEnv = "TOPO_SAY_COMMIT"

func TestMain(m *testing.M) {
	if os.Getenv(sayEnv) != "" {
		fmt.Print(cmp.Or(commit(), unknown))
		return
	}
	os.Exit(m.Run())
}

// A program that does not carry its commit may come from anywhere: only what
// the Go command has built to run at once asks the checkout.
func TestOnlyWhatGoRunsAsksTheCheckout(t *testing.T) {
	if git("rev-parse", "HEAD") == "" {
		t.Skip("this is no git checkout")
	}
	say := func(program string) string {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), sayEnv+"=1")
		out, err := cmd.Output()
		require.NoError(t, err)
		return strings.TrimSuffix(string(out), "+dirty")
	}
	here, err := os.Executable()
	require.NoError(t, err)
	want := unknown
	if madeToRun() {
		want = git("rev-parse", "HEAD")[:12]
	}
	require.Equal(t, want, say(here), "under go test")

	copied := filepath.Join(t.TempDir(), "copied.exe")
	text, err := os.ReadFile(here)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(copied, text, 0o777))
	require.Equal(t, unknown, say(copied), "copied")
}

// The same with the program that people build.
func TestTheCommitOfABuiltProgram(t *testing.T) {
	sample.NeedsAll(t)
	head := git("rev-parse", "HEAD")
	if head == "" {
		t.Skip("this is no git checkout")
	}
	for _, c := range []struct{ stamp, want string }{{"true", head[:12]}, {"false", unknown}} {
		program := filepath.Join(t.TempDir(), "shmbench.exe")
		out, err := exec.Command("go", "build", "-buildvcs="+c.stamp, "-o", program, "shmbench/cmd/shmbench").CombinedOutput()
		require.NoError(t, err, string(out))
		file := filepath.Join(t.TempDir(), "results.txt")
		out, err = exec.Command(program, "run", "-alg", "^queue/ticket$", "-procs", "1", "-d", "100ms", "-count", "1", "-o", file).CombinedOutput()
		require.NoError(t, err, string(out))
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(text), "\n# commit: "+c.want, "-buildvcs=%s", c.stamp)
	}
}
