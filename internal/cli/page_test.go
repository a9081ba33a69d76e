package cli

import (
	"bytes"
	"context"
	"flag"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// documented is a program whose verbs have all that help shows.
func documented() *Program {
	idle := func(context.Context, Env, []string) error { return nil }
	return &Program{
		Name: "prog", About: "a program",
		Goals: []Goal{{"run it", []string{"prog run", "prog run -fast"}}, {"see it", []string{"prog show"}}},
		Verbs: []Verb{
			{Name: "run", Summary: "run it", Args: "FILE...", About: "FILE is a file", Example: "prog run -fast\nprog run", Output: "ns  nanoseconds\nn   a number\n", Stands: "name",
				NotWithPackage: []string{"fast"}, Setup: func(fs *flag.FlagSet) Body {
					fs.Bool("fast", false, "run fast")
					fs.String("name", "", "a name")
					OneOf(fs, "name", "the name", "a", "b")
					return idle
				}},
			{Name: "show it", Summary: "show it", Example: "prog show it", Stands: "name", Setup: func(fs *flag.FlagSet) Body {
				fs.String("name", "", "a name")
				OneOf(fs, "name", "the name", "a", "b")
				fs.Var(new(way), "way", "a way")
				return idle
			}},
			{Name: "bare", Summary: "do nothing", Example: "prog bare", Setup: func(*flag.FlagSet) Body { return idle }},
		},
	}
}

// way is a flag that has a value or none.
type way string

func (w *way) Set(s string) error {
	if s != "true" && s != "far" {
		return io.ErrUnexpectedEOF
	}
	*w = way(s)
	return nil
}
func (w *way) String() string   { return string(*w) }
func (w *way) IsBoolFlag() bool { return true }

const usageOf = `prog: a program

usage: prog <verb> [flags]

run it:
  prog run
  prog run -fast
see it:
  prog show

verbs:
  run      run it
  show it  show it
  bare     do nothing

exit status:
  0  everything was done, and holds
  1  a property is violated, or a comparison regressed
  2  wrong use, or an error
  3  undecided or cut short: an interrupt, a bound, a missing sample, or no figure to judge by

"prog <verb> -h" explains a verb and shows an example. "prog --version" prints the version.
"prog completion bash" prints completions for bash; zsh and fish have theirs.
`

const helpOfRun = `usage: prog run [flags] FILE...

run it

FILE is a file

example:
  prog run -fast
  prog run

flags:
  -fast
    	run fast
  -name string
    	a name

what it prints:
  ns  nanoseconds
  n   a number

`

const helpOfShow = `usage: prog show it [flags] [NAME]

show it

example:
  prog show it

flags:
  -name string
    	a name
  -way
    	a way

`

// TestPages: what the program prints about itself and its verbs, and about words that are not right.
func TestPages(t *testing.T) {
	for _, c := range []struct {
		words     []string
		status    int
		out, diag string
	}{
		{nil, Usage, "", usageOf},
		{[]string{"-h"}, Holds, usageOf, ""},
		{[]string{"-help"}, Holds, usageOf, ""},
		{[]string{"--help"}, Holds, usageOf, ""},
		{[]string{"help"}, Holds, usageOf, ""},
		{[]string{"version"}, Holds, "prog " + Version() + "\n", ""},
		{[]string{"-version"}, Holds, "prog " + Version() + "\n", ""},
		{[]string{"--version"}, Holds, "prog " + Version() + "\n", ""},
		{[]string{"run", "-h"}, Holds, helpOfRun + statuses, ""},
		{[]string{"help", "run"}, Holds, helpOfRun + statuses, ""},
		{[]string{"help", "show", "it"}, Holds, helpOfShow + statuses, ""},
		{[]string{"bare", "-h"}, Holds, "usage: prog bare [flags]\n\ndo nothing\n\nexample:\n  prog bare\n\n" + statuses, ""},
		{[]string{"rnu"}, Usage, "", "prog: no verb \"rnu\"; did you mean \"run\"?\n"},
		{[]string{"dance"}, Usage, "", "prog: no verb \"dance\"; \"prog -h\" lists the verbs\n"},
		{[]string{"show"}, Usage, "", "prog: show needs a second word: write show it\n"},
		{[]string{"completion", "tcsh"}, Usage, "", "prog: completion tcsh: name one shell: bash, zsh, fish\n"},
		{[]string{"bare", "x"}, Usage, "", "prog bare: unexpected argument \"x\": this verb takes flags only\n"},
		{[]string{"run", "a"}, Holds, "", ""},
		{[]string{"run", "c"}, Usage, "", "prog run: \"c\": the name must be a or b\n"},
		{[]string{"run", "a", "b"}, Usage, "", "prog run: unexpected argument \"b\": give one name, or -name with a regular expression\n"},
		{[]string{"run", "-name", "a", "b"}, Usage, "", "prog run: unexpected argument \"b\": -name is given too\n"},
		{[]string{"run", "./a", "./b"}, Holds, "", ""},
		{[]string{"run", "./a:New"}, Holds, "", ""},
		{[]string{"run", "-fast", "./a"}, Usage, "", "prog run: ./a cannot be combined with -fast\n"},
		{[]string{"run", "-fast=false", "./a"}, Holds, "", ""},
		{[]string{"run", "./a.go"}, Usage, "", "prog run: ./a.go names a file: give the folder of its package, .\n"},
		{[]string{"show", "it", "./a"}, Usage, "", "prog show it: \"./a\": the name must be a or b\n"},
		{[]string{"show", "it", "-way", "far"}, Usage, "", "prog show it: unexpected argument \"far\": write -way=far\n"},
		{[]string{"show", "it", "-way", "a"}, Holds, "", ""},
		{[]string{"show", "it", "-way=far", "a"}, Holds, "", ""},
		{[]string{"show", "it", "far"}, Usage, "", "prog show it: \"far\": the name must be a or b\n"},
	} {
		var out, diag bytes.Buffer
		status := documented().Run(t.Context(), Env{&out, &diag}, c.words)
		require.Equal(t, c.diag, diag.String(), c.words)
		require.Equal(t, c.out, out.String(), c.words)
		require.Equal(t, c.status, status, c.words)
	}
	p := documented()
	require.Equal(t, []int{2, 2, 0}, []int{p.Verbs[0].Shown(), p.Verbs[1].Shown(), p.Verbs[2].Shown()})
}

// broken is a writer that always fails.
type broken struct{ error }

func (b broken) Write([]byte) (int, error) { return 0, b.error }

// TestBrokenOutput: what cannot be written is an error of the command.
func TestBrokenOutput(t *testing.T) {
	for _, words := range [][]string{{"-h"}, {"version"}, {"run", "-h"}} {
		var diag bytes.Buffer
		require.Equal(t, Usage, documented().Run(t.Context(), Env{broken{io.ErrShortWrite}, &diag}, words), words)
		require.Contains(t, diag.String(), "standard output: short write\n")
	}
}
