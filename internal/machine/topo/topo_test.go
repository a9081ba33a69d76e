package topo

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
)

func TestDescribe(t *testing.T) {
	got := map[string]string{}
	key := regexp.MustCompile(`^[a-z]+$`)
	for _, p := range Describe() {
		require.Regexp(t, key, p.Key)
		require.NotEmpty(t, p.Value, p.Key)
		require.NotContains(t, p.Value, "\n", p.Key)
		require.NotContains(t, got, p.Key)
		got[p.Key] = p.Value
	}
	require.Equal(t, runtime.GOOS, got["goos"])
	require.Equal(t, runtime.Version(), got["go"])
	if runtime.GOOS == "linux" {
		require.True(t, strings.HasPrefix(got["kernel"], "Linux "), got["kernel"])
		require.NotEqual(t, unknown, got["affinity"])
	}
}

func TestTheCommitIsThisModulesOnly(t *testing.T) {
	t.Chdir(t.TempDir())
	require.Empty(t, commit(), "outside any checkout")
	require.Empty(t, git("init", "--quiet"))
	require.NoError(t, os.WriteFile("go.mod", []byte("module other\n"), 0o666))
	require.Empty(t, commit(), "in the checkout of another module")
	require.NoError(t, os.WriteFile("go.mod", []byte("module shmbench\n"), 0o666))
	require.Empty(t, commit(), "in a checkout without a commit")
}

// BenchmarkNothing makes package testing print its configuration.
func BenchmarkNothing(b *testing.B) {
	for b.Loop() {
	}
}

// What Go's benchmarks say about the platform is said here in the same words, or
// their files could not be compared with those of this module.
func TestThePlatformIsNamedAsGoNamesIt(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	out, err := exec.Command(program, "-test.run=^$", "-test.bench=^BenchmarkNothing$", "-test.benchtime=1x").Output()
	require.NoError(t, err)
	reader := benchfmt.NewReader(bytes.NewReader(out), "go test")
	require.True(t, reader.Scan(), "%s", out)
	result := reader.Result().(*benchfmt.Result)
	for _, p := range Describe() {
		switch v := result.GetConfig(p.Key); p.Key {
		case "goos", "goarch":
			require.Equal(t, v, p.Value)
		case "cpu":
			require.True(t, v == "" || v == p.Value, "Go: %q, here: %q", v, p.Value)
			require.True(t, v != "" || runtime.GOARCH != "amd64", "Go knows the processors of amd64")
		}
	}
}

func TestACommandThatIsMissing(t *testing.T) {
	require.Empty(t, git("no-such-command"))
}
