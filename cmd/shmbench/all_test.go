package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/cli"
)

// TestAll: the page has what the chosen parts find, and the data of each are kept.
func TestAll(t *testing.T) {
	page := filepath.Join(t.TempDir(), "report.html")
	out, diag, code := shmbench(t.Context(), "all", "-o", page, "-alg", "^tas/tas$", "-d", "1ms", "-count", "1", "-parts", "run,specs")
	require.Equal(t, exitHolds, code, diag)
	require.Regexp(t, `^No recommendation: `, out)
	require.Contains(t, out, page+": 2 of 2 parts")
	require.Contains(t, diag, "1 of 2, what each lock claims")
	require.Contains(t, diag, "shmbench run -alg '^tas/tas$' -d 1ms -count 1 -o ")
	html, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(html), "tas/tas")
	require.NotContains(t, string(html), "queue/mcs")
	for _, file := range []string{"specs.json", "run.txt"} {
		require.FileExists(t, filepath.Join(strings.TrimSuffix(page, ".html"), file))
	}
	out, _, code = shmbench(t.Context(), "all", "-o", page, "-alg", "^tas/tas$", "-parts", "specs", "-json")
	require.Equal(t, exitHolds, code)
	var done allDone
	decode(t, out, &done)
	require.Equal(t, "specs", done.Parts[0].Part)
	require.Equal(t, filepath.Join(strings.TrimSuffix(page, ".html"), "specs.json"), done.Parts[0].File)
	for says, args := range map[string][]string{
		"say with -o":                         {"all"},
		"-parts charts: there are specs,run,": {"all", "-o", page, "-parts", "specs,charts"},
		`-alg nope: no lock matches`:          {"all", "-o", page, "-alg", "nope"},
		"run.txt is there already":            {"all", "-o", page, "-alg", "^tas/tas$"},
		"-swept nope: no lock matches":        {"all", "-o", page, "-swept", "nope"},
	} {
		_, diag, code := shmbench(t.Context(), args...)
		require.Equal(t, exitUsage, code, args)
		require.Contains(t, diag, says)
		require.Equal(t, 1, strings.Count(diag, "\n"), diag)
	}
}

// The parts measure only the locks that -alg names, and their variants; -swept names
// others.
func TestAllMeasuresWhatAlgNames(t *testing.T) {
	measured := func(args ...string) []string {
		fs := flag.NewFlagSet("all", flag.ContinueOnError)
		f := &allFlags{fs: fs}
		f.declare()
		require.NoError(t, fs.Parse(args))
		var names []string
		for _, p := range f.all() {
			if p.verb.Name != "run" {
				continue
			}
			matched, err := locks().Match(p.args[slices.Index(p.args, "-alg")+1])
			require.NoError(t, err)
			for _, a := range matched {
				names = append(names, cmp.Or(a.VariantOf, a.Name))
			}
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	require.Equal(t, []string{"queue/mcs", "queue/ticket"}, measured("-alg", "^queue/(mcs|ticket)$"))
	require.Equal(t, []string{"cas/cas"}, measured("-alg", "^cas/cas$"), "none of the locks that are swept by default")
	require.Equal(t, []string{"cas/cas", "tas/tas"}, measured("-alg", "^cas/cas$", "-swept", "^tas/tas$"))
}

// The variants of a lock are those in layout and stores, and not other locks whose
// names begin alike.
func TestWithVariants(t *testing.T) {
	matched, err := locks().Match(withVariants("^(queue/mcs|tas/tas)$"))
	require.NoError(t, err)
	var names []string
	for _, a := range matched {
		names = append(names, a.Name)
	}
	require.Equal(t, []string{"tas/tas", "tas/tas-released", "queue/mcs", "queue/mcs-padded", "queue/mcs-released", "queue/mcs-padded-released"}, names)
}

// until cancels once something has been printed.
type until struct {
	bytes.Buffer
	text   string
	cancel func()
}

func (u *until) Write(p []byte) (int, error) {
	n, err := u.Buffer.Write(p)
	if strings.Contains(u.String(), u.text) {
		u.cancel()
	}
	return n, err
}

// TestAllInterrupted: what is done by then is in the page.
func TestAllInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	page := filepath.Join(t.TempDir(), "page")
	stderr := &until{text: "2 of 2", cancel: cancel}
	var stdout bytes.Buffer
	code := run(ctx, env{Stdout: &stdout, Stderr: stderr}, []string{"all", "-o", page, "-alg", "^tas/tas$", "-d", "1ms", "-parts", "specs,run"})
	require.Equal(t, exitUndecided, code, stderr.String())
	html, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(html), "tas/tas")
	require.FileExists(t, filepath.Join(page+"-data", "specs.json"))
}

// TestAllSaysHowItEnded: a violation comes before an error, and that before what was
// not decided.
func TestAllSaysHowItEnded(t *testing.T) {
	for _, c := range []struct {
		codes []int
		want  int
	}{
		{[]int{exitHolds, exitHolds}, exitHolds},
		{[]int{exitHolds, exitUndecided}, exitUndecided},
		{[]int{exitUsage, exitUndecided}, exitUsage},
		{[]int{exitUsage, exitViolated, exitUndecided}, exitViolated},
	} {
		p := progress{flags: new(allFlags)}
		for _, code := range c.codes {
			p.parts = append(p.parts, partDone{Status: code})
		}
		program := cli.Program{Name: "shmbench", Verbs: []verb{{Name: "x", Setup: func(*flag.FlagSet) body {
			return func(ctx context.Context, _ env, _ []string) error { return p.end(ctx, len(c.codes)) }
		}}}}
		require.Equal(t, c.want, program.Run(t.Context(), env{Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer)}, []string{"x"}), c.codes)
	}
}
