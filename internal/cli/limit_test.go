package cli

import (
	"bytes"
	"context"
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// program is a program with one verb, which has flags of all kinds.
func program(body func(fs *flag.FlagSet) error) *Program {
	return &Program{Name: "program", Verbs: []Verb{{Name: "verb", Args: "FILE...", Setup: func(fs *flag.FlagSet) Body {
		fs.Int("whole", 1, "a whole number")
		Between(fs, "whole", 1, 9, "the number")
		fs.Uint64("count", 0, "a count")
		AtLeast(fs, "count", uint64(1), "the count")
		fs.Float64("share", 0, "a share")
		Between(fs, "share", 0.0, 1.0, "the share")
		fs.Duration("time", 0, "a time")
		Between(fs, "time", 10*time.Millisecond, 24*time.Hour, "the time")
		fs.String("word", "", "a word")
		OneOf(fs, "word", "the word", "this", "that", "other")
		fs.Bool("loud", false, "be loud")
		fs.Bool("fair", true, "be fair")
		fs.Func("each", "a word", func(string) error { return nil })
		fs.String("in", "", "a file")
		Reads(fs, "in")
		fs.String("maybe", "", "a file or a name")
		MayRead(fs, "maybe")
		fs.String("out", "", "a file")
		fs.String("also", "", "a file")
		Writes(fs, "out", "also")
		fs.String("folder", "", "a folder")
		WritesFolder(fs, "folder")
		fs.String("either", "", "a file or a folder")
		WritesFileOrFolder(fs, Page, "either")
		fs.Var(new(several), "several", "a file; may be repeated")
		Writes(fs, "several")
		return func(context.Context, Env, []string) error { return body(fs) }
	}}}}
}

// several is a flag that names several files.
type several []string

func (s *several) Set(name string) error { *s = append(*s, name); return nil }
func (s *several) String() string        { return strings.Join(*s, ",") }
func (s *several) Files() []string       { return *s }

// ran runs the verb and returns its exit status and what it said.
func ran(t *testing.T, p *Program, words ...string) (status int, says string) {
	t.Helper()
	var out, diag bytes.Buffer
	status = p.Run(t.Context(), Env{Stdout: &out, Stderr: &diag}, append([]string{"verb"}, words...))
	return status, strings.TrimPrefix(diag.String(), "program verb: ")
}

func requireSays(t *testing.T, p *Program, cases map[string]string) {
	t.Helper()
	for line, want := range cases {
		status, says := ran(t, p, strings.Fields(line)...)
		if want == "" {
			require.Equal(t, Holds, status, "%s: %s", line, says)
			continue
		}
		require.Equal(t, Usage, status, line)
		require.Equal(t, want+"\n", says, line)
	}
}

func TestLimits(t *testing.T) {
	requireSays(t, program(func(*flag.FlagSet) error { return nil }), map[string]string{
		"":                            "",
		"-whole 1":                    "",
		"-whole 9":                    "",
		"-whole 0":                    "-whole 0: the number must be between 1 and 9",
		"-whole 10":                   "-whole 10: the number must be between 1 and 9",
		"-whole 99999999999999999999": "-whole 99999999999999999999: the number must be between 1 and 9",
		"-whole x":                    "-whole x: write a whole number",
		"-whole=":                     `-whole "": the value must not be empty; leave -whole out for the default`,
		"-count 0":                    "-count 0: the count must be at least 1",
		"-count -1":                   "-count -1: write a whole number from 0 up",
		"-count 1":                    "",
		"-share 1":                    "",
		"-share 1.5":                  "-share 1.5: the share must be between 0 and 1",
		"-share NaN":                  "-share NaN: the share must be between 0 and 1",
		"-share Inf":                  "-share Inf: the share must be between 0 and 1",
		"-time 10ms":                  "",
		"-time 9ms":                   "-time 9ms: the time must be between 10ms and 24h",
		"-time 5":                     "-time 5: write a time with its unit, such as 100ns or 5s",
		"-time 9999999h":              "-time 9999999h: the time must be between 10ms and 24h",
		"-word that":                  "",
		"-word them":                  "-word them: the word must be this, that or other",
		"-loud=7":                     "-loud 7: write true or false",
		"-loud=":                      `-loud "": the value must not be empty; leave -loud out for the default`,
	})
}

func TestHelpKnowsTheTypesOfLimitedFlags(t *testing.T) {
	var out bytes.Buffer
	require.Equal(t, Holds, program(nil).Run(t.Context(), Env{Stdout: &out, Stderr: &out}, []string{"verb", "-h"}))
	require.Contains(t, out.String(), "  -whole int\n    \ta whole number (default 1)\n")
	require.Contains(t, out.String(), "  -time duration\n    \ta time\n")
	require.Contains(t, out.String(), "  -out string\n    \ta file\n")
}

func TestFlagsThatChangeNothing(t *testing.T) {
	refusing := program(func(fs *flag.FlagSet) error { return Refuse(fs, "it is quiet", "whole", "loud", "fair") })
	requireSays(t, refusing, map[string]string{
		"-word this":  "",
		"-loud=false": "",
		"-whole 2":    "-whole 2: it is quiet",
		"-loud":       "-loud: it is quiet",
		"-fair=false": "-fair=false: it is quiet",
	})
	// The package flag does not say what a flag of Func was given.
	requireSays(t, program(func(fs *flag.FlagSet) error { return Refuse(fs, "it is quiet", "each") }), map[string]string{"-each a": "-each: it is quiet"})
	alone := program(func(fs *flag.FlagSet) error { return Only(fs, "-loud does nothing else", "loud", "word") })
	requireSays(t, alone, map[string]string{
		"-loud -word this": "",
		"-loud -whole 2":   "-whole 2: -loud does nothing else",
		"-loud -share 0.5": "-share 0.5: -loud does nothing else",
	})
}

func TestOf(t *testing.T) {
	for said, want := range map[string]string{
		"it is late":                "-word this: it is late",
		"-word this: it is no word": "-word this: it is no word",
	} {
		requireSays(t, program(func(fs *flag.FlagSet) error { return Of(fs, "word", errText(said)) }), map[string]string{"-word this": want})
	}
	requireSays(t, program(func(fs *flag.FlagSet) error { return Of(fs, "word", nil) }), map[string]string{"-word this": ""})
}

type errText string

func (e errText) Error() string { return string(e) }
