package cli

import (
	"bytes"
	"context"
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestArguments: flags may come before, between and after the arguments, but not behind
// the word --.
func TestArguments(t *testing.T) {
	var loud bool
	var kind string
	var got []string
	p := &Program{Name: "program", Verbs: []Verb{{Name: "verb", Args: "FILE...", Setup: func(fs *flag.FlagSet) Body {
		fs.BoolVar(&loud, "loud", false, "")
		fs.StringVar(&kind, "kind", "none", "")
		return func(_ context.Context, _ Env, args []string) error {
			got = args
			return nil
		}
	}}}}
	run := func(line string) (status int, says string) {
		var out, diag bytes.Buffer
		loud, kind, got = false, "", nil
		return p.Run(t.Context(), Env{Stdout: &out, Stderr: &diag}, append([]string{"verb"}, strings.Fields(line)...)), diag.String()
	}
	for line, want := range map[string][]string{
		"a b -loud -kind x":                {"a", "b"},
		"-loud a -kind x b":                {"a", "b"},
		"-kind=x -loud a b":                {"a", "b"},
		"-loud -kind x -- a":               {"a"},
		"-loud a -kind x --":               {"a"},
		"-kind x -loud":                    nil,
		"-kind x -loud -- -a -kind y -- b": {"-a", "-kind", "y", "--", "b"},
	} {
		status, says := run(line)
		require.Equal(t, Holds, status, says)
		require.True(t, loud, line)
		require.Equal(t, "x", kind, line)
		require.ElementsMatch(t, want, got, line)
	}
	for line, want := range map[string]string{
		"a -kind x b -kind y": "program verb: -kind is given twice\n",
		"a -quiet":            "program verb: no flag -quiet; program verb -h lists the flags\n",
	} {
		status, says := run(line)
		require.Equal(t, Usage, status)
		require.Equal(t, want, says)
	}
}

// TestAnArgumentChangesNoFlag: a boolean flag beside an argument that stands for the value of
// another flag keeps its value.
func TestAnArgumentChangesNoFlag(t *testing.T) {
	var loud bool
	var name string
	p := &Program{Name: "program", Verbs: []Verb{{Name: "verb", Stands: "name", Setup: func(fs *flag.FlagSet) Body {
		fs.BoolVar(&loud, "loud", false, "")
		fs.StringVar(&name, "name", "", "")
		return func(context.Context, Env, []string) error { return nil }
	}}}}
	require.Equal(t, Holds, p.Run(t.Context(), Env{io.Discard, io.Discard}, []string{"verb", "x", "-loud"}))
	require.True(t, loud)
	require.Equal(t, "x", name)
}

// TestVerbsOfTwoWords: the first word alone names the verbs that begin with it.
func TestVerbsOfTwoWords(t *testing.T) {
	var diag bytes.Buffer
	require.Equal(t, Usage, completed().Run(t.Context(), Env{io.Discard, &diag}, []string{"dist"}))
	require.Equal(t, "prog: dist needs a second word: write dist run\n", diag.String())
	require.Equal(t, Holds, completed().Run(t.Context(), Env{io.Discard, &diag}, []string{"run", "fast", "-speed", "2"}))
	require.Equal(t, Usage, completed().Run(t.Context(), Env{io.Discard, &diag}, []string{"run", "-speed", "2"}))
	diag.Reset()
	require.Equal(t, Usage, completed().Run(t.Context(), Env{io.Discard, &diag}, []string{"run", "fas"}))
	require.Equal(t, "prog: no verb \"run fas\"; did you mean \"run fast\"?\n", diag.String())
}
