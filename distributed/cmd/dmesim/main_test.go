package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"shmbench/internal/cli"
	"shmbench/internal/testkit/clitest"
	"shmbench/internal/testkit/sample"
)

// TestMain lets the test program be its own child, as the program is.
func TestMain(m *testing.M) {
	recurseIfAsked()
	guardedChild(context.Background())
	testscript.Main(m, map[string]func(){name: main})
}

// dmesim runs a command line and returns what it printed and its status.
func dmesim(ctx context.Context, args ...string) (stdout, stderr string, status int) {
	var out, err bytes.Buffer
	status = run(ctx, cli.Env{Stdout: &out, Stderr: &err}, args)
	return out.String(), err.String(), status
}

// typed runs a command line without quotes.
func typed(t *testing.T, ctx context.Context, line string) (status int, stdout, stderr string) {
	t.Helper()
	stdout, stderr, status = dmesim(ctx, strings.Fields(line)...)
	return status, stdout, stderr
}

// decode reads the results of what -json printed.
func decode(t *testing.T, out string, results any) {
	t.Helper()
	document := struct {
		Format   string
		Complete bool
		Results  any
	}{Results: results}
	require.NoError(t, json.Unmarshal([]byte(out), &document), out)
	require.Regexp(t, `^dmesim [a-z]+ 1$`, document.Format)
}

// inTests is the program, as package clitest runs it.
var inTests = clitest.Program{Name: name, Verbs: verbs, Run: dmesim}

// promises has every verb: TestEveryVerbKeepsItsPromises fails for one that is not here.
var promises = map[string]clitest.Promise{
	"list":    {Quick: "", Twice: "extra"},
	"run":     {Quick: "-alg central -nodes 3 -entries 10", Long: "-alg central -nodes 31 -entries 1000000000", Twice: "-nodes 3"},
	"table":   {Quick: "-alg ^central$ -nodes 3", Long: "-nodes 1000", Twice: "-nodes 3"},
	"scale":   {Quick: "-alg ^central$ -nodes 3,5", Long: "-nodes 1000,10000", Twice: "-nodes 3,4"},
	"elect":   {Quick: "-nodes 4", Long: "-table -nodes 128", Twice: "-nodes 3"},
	"study":   {Quick: "-nodes 3 -threads 1 -rates 1 -entries 40 -warmup 0 -replications 2 -claims=false", Long: "-entries 10000000", Twice: "-nodes 3"},
	"explore": {Quick: "-alg central -nodes 2", Long: "-alg lamport -nodes 4 -requests 0 -max-states 1000000000", Twice: "-nodes 3"},
	"replay":  {Quick: "ricart-agrawala", Twice: "-json=true"},
	"verify":  {Quick: "-alg ^central$ -max-states 10", Long: "-max-states 1000000000", Twice: "-alg central"},
	"mutants": {Quick: "-alg ^chang-roberts-", Twice: "-alg ring"},
}

func TestEveryVerbKeepsItsPromises(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel() // most of it is waiting
	inTests.Promises(t, promises)
}

// taken are the suspect values that a flag takes all the same.
var taken = map[string][]string{
	"run":     {"-duplicate=0", "-loss=0", "-move=0", "-tick=0", "-warmup=0", "-seed=0"},
	"elect":   {"-seed=0"},
	"study":   {"-warmup=0", "-o=-", "-o=DIR/folder", "-o=DIR/nosuch/file"},
	"explore": {"-crash=0", "-duplicate=0", "-hang=0", "-loss=0", "-moves=0", "-partition=0", "-requests=0"},
}

func TestWrongValuesAreRefused(t *testing.T) { inTests.WrongValues(t, promises, taken, nil) }

// TestHelp: without a verb there are the goals and the verbs, and each verb explains itself.
func TestHelp(t *testing.T) {
	out, errs, code := dmesim(t.Context())
	require.Equal(t, cli.Usage, code)
	require.Empty(t, out)
	for _, g := range goals {
		require.Contains(t, errs, "\n"+g.Text+":\n  "+g.Commands[0])
	}
	for _, v := range verbs {
		require.Contains(t, errs, "\n  "+v.Name)
		help, errs, code := dmesim(t.Context(), v.Name, "-h")
		require.Equal(t, cli.Holds, code, v.Name)
		require.Empty(t, errs, v.Name)
		require.Contains(t, help, "example:\n  dmesim "+v.Name, v.Name)
	}
	out, _, code = dmesim(t.Context(), "--version")
	require.Equal(t, cli.Holds, code)
	require.Regexp(t, `^dmesim \S+, go`, out)
	for _, shell := range []string{"bash", "zsh", "fish"} {
		out, _, code = dmesim(t.Context(), "completion", shell)
		require.Equal(t, cli.Holds, code)
		require.Contains(t, out, "explore")
	}
	_, errs, code = dmesim(t.Context(), "explor")
	require.Equal(t, cli.Usage, code)
	require.Equal(t, "dmesim: no verb \"explor\"; did you mean \"explore\"?\n", errs)
}

func TestFlags(t *testing.T) { inTests.Flags(t, 80) }
