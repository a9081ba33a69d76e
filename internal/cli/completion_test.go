package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func completed() *Program {
	idle := func(context.Context, Env, []string) error { return nil }
	return &Program{Name: "prog", Verbs: []Verb{
		{Name: "run", Summary: "run it", Setup: func(fs *flag.FlagSet) Body { fs.Bool("json", false, "print the user's data"); return idle }},
		{Name: "run fast", Summary: "run it fast", Setup: func(fs *flag.FlagSet) Body { fs.Int("speed", 1, "speed"); return idle }},
		{Name: "dist run", Summary: "simulate", Setup: func(fs *flag.FlagSet) Body { fs.Int("nodes", 1, "nodes"); return idle }},
		{Name: "bare", Summary: "no flags", Setup: func(*flag.FlagSet) Body { return idle }},
	}}
}

// completions are command lines so far, and the words that complete them.
var completions = map[string]string{
	"prog ":              "run dist bare",
	"prog r":             "run",
	"prog dist ":         "run",
	"prog dist run -":    "-nodes",
	"prog run -":         "-json",
	"prog run -json -":   "-json",
	"prog run ":          "-json fast",
	"prog run fast ":     "-speed",
	"prog dist run x -n": "-nodes",
	"prog nosuch ":       "",
}

// TestCompletion: the scripts of bash and zsh complete verbs and flags in the shells
// themselves. What zsh shows of a word stands behind a colon.
func TestCompletion(t *testing.T) {
	for name, call := range map[string]string{
		"bash": "%s\nCOMP_WORDS=(%s)\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_prog\necho \"${COMPREPLY[*]}\"\n",
		"zsh": "compdef() {}\n_files() {}\n_describe() { for w in ${(P)2}; do [[ $w == ${words[CURRENT]}* ]] && print -n -- \"${w%%%%:*} \"; done; [[ -n ${(P)2} ]] }\n" +
			"%s\nwords=(%s)\nCURRENT=${#words}\n_prog\n",
	} {
		shell, err := exec.LookPath(name)
		if err != nil {
			t.Log("there is no ", name)
			continue
		}
		var script bytes.Buffer
		require.NoError(t, completed().completion(&script, []string{name}))
		for line, want := range completions {
			var words []string
			for w := range strings.SplitSeq(line, " ") {
				words = append(words, Quote(w))
			}
			out, err := exec.CommandContext(t.Context(), shell, "-c", fmt.Sprintf(call, script.String(), strings.Join(words, " "))).CombinedOutput()
			require.NoError(t, err, string(out))
			require.Equal(t, want, strings.TrimSpace(string(out)), "%s: %s", name, line)
		}
	}
}

// TestCompletionOfEveryShell: where a shell is installed it takes its script, and every
// script has every verb and flag.
func TestCompletionOfEveryShell(t *testing.T) {
	for _, s := range shells {
		var script bytes.Buffer
		require.NoError(t, completed().completion(&script, []string{s.name}))
		for _, word := range []string{"run", "dist", "json", "nodes"} {
			require.Contains(t, script.String(), word, s.name)
		}
		if shell, err := exec.LookPath(s.name); err == nil {
			out, err := exec.CommandContext(t.Context(), shell, "-n", "-c", script.String()).CombinedOutput()
			require.NoError(t, err, string(out))
		}
	}
	require.EqualError(t, completed().completion(&bytes.Buffer{}, []string{"csh"}), "completion csh: name one shell: bash, zsh, fish")
}

// TestCompletionInFish: fish itself completes a verb of two words, and its flags.
func TestCompletionInFish(t *testing.T) {
	shell, err := exec.LookPath("fish")
	if err != nil {
		t.Skip("there is no fish")
	}
	var script bytes.Buffer
	require.NoError(t, completed().completion(&script, []string{"fish"}))
	for line, want := range map[string]string{"prog ru": "run\trun it", "prog dist r": "run\tsimulate", "prog dist run -n": "-nodes\tnodes", "prog run f": "fast\trun it fast", "prog run fast -s": "-speed\tspeed", "prog run -j": "-json\tprint the user's data"} {
		out, err := exec.CommandContext(t.Context(), shell, "--no-config", "-c", script.String()+"\ncomplete -C '"+line+"'").CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, strings.Split(string(out), "\n"), want, line)
	}
}

func TestVersion(t *testing.T) {
	var out, diag bytes.Buffer
	for _, ask := range []string{"--version", "-version", "version"} {
		out.Reset()
		require.Equal(t, Holds, completed().Run(t.Context(), Env{&out, &diag}, []string{ask}))
		require.Regexp(t, `^prog \S+, go\S+, \w+/\w+\n$`, out.String())
		require.Empty(t, diag.String())
	}
}
