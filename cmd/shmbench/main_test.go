package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// shmbench runs one command line as main does.
func shmbench(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(context.Background(), env{stdout: &out, stderr: &errs}, args)
	return code, out.String(), errs.String()
}

func TestHelpOfEveryVerb(t *testing.T) {
	code, out, _ := shmbench("-h")
	require.Equal(t, exitHolds, code)
	for _, v := range verbs {
		require.Contains(t, out, v.name)
		code, help, errs := shmbench(v.name, "-h")
		require.Equal(t, exitHolds, code, v.name)
		require.Empty(t, errs, v.name)
		require.Contains(t, help, "usage: shmbench "+v.name)
		require.Contains(t, help, "example:\n  shmbench "+v.name, v.name)
	}
}

func TestWrongUseIsOneLineAndExitsTwo(t *testing.T) {
	cases := map[string]string{
		"lst":             `shmbench: no verb "lst"; "shmbench -h" lists the verbs`,
		"list -jsn":       "shmbench list: flag provided but not defined: -jsn",
		"list all":        `shmbench list: unexpected argument "all": this verb takes flags only`,
		"list -alg bakry": `shmbench list: no algorithm matches "bakry"; did you mean "bakery/lamport"?`,
	}
	for line, says := range cases {
		code, out, errs := shmbench(strings.Fields(line)...)
		require.Equal(t, exitUsage, code, line)
		require.Empty(t, out, line)
		require.Equal(t, says+"\n", errs, line)
	}
}

func TestNoVerbShowsTheVerbs(t *testing.T) {
	code, out, errs := shmbench()
	require.Equal(t, exitUsage, code)
	require.Empty(t, out)
	require.Contains(t, errs, "list the algorithms")
}

func TestExitStatusOfErrors(t *testing.T) {
	cases := []struct {
		err  error
		code int
		says string
	}{
		{nil, exitHolds, ""},
		{errViolated, exitViolated, ""},
		{syscall.EPIPE, exitHolds, ""},
		{errors.New("bad n"), exitUsage, "shmbench verb: bad n\n"},
	}
	for _, c := range cases {
		var out, errs bytes.Buffer
		v := verb{name: "verb", setup: func(*flag.FlagSet) body {
			return func(context.Context, env, []string) error { return c.err }
		}}
		require.Equal(t, c.code, v.run(context.Background(), env{&out, &errs}, nil))
		require.Equal(t, c.says, errs.String())
	}
}

func TestListAsJSON(t *testing.T) {
	code, out, _ := shmbench("list", "-json")
	require.Equal(t, exitHolds, code)
	var cards []map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &cards))
	require.NotEmpty(t, cards)
	for _, card := range cards {
		for _, field := range []string{"name", "class", "min_procs", "max_procs", "claims", "space", "source"} {
			require.Contains(t, card, field, card["name"])
		}
	}
}

func TestListAsTable(t *testing.T) {
	code, out, _ := shmbench("list", "-alg", "peterson/priority$")
	require.Equal(t, exitHolds, code)
	require.Equal(t, 2, strings.Count(out, "\n"))
	require.Regexp(t, `peterson/priority +read/write +1\.\.2 +no lockout +unbounded +- +want: 2, priority: 1`, out)
}
