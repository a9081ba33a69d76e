package topo

import (
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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

func TestWhatIsMissingIsUnknown(t *testing.T) {
	require.Equal(t, unknown, or(""))
	require.Equal(t, "x", or("x"))
	require.Empty(t, git("no-such-command"))
}
