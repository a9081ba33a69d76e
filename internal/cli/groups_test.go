package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func grouped() Verb {
	return Verb{
		Name:   "verb",
		Groups: []Group{{Output, []string{"json", "o"}}},
		Rules:  []Rule{{Flag: "heal", With: "cut"}, {Flag: "o", Without: []string{"json"}}, {Flag: "cut", Value: "7", Without: []string{"o"}}, {Flag: "list", Why: "-list does nothing else", Only: []string{"json"}, Unless: "heal"}},
		Setup: func(fs *flag.FlagSet) Body {
			fs.Int("cut", 0, "cuts")
			fs.Int("heal", 0, "heals")
			fs.Bool("list", false, "lists")
			fs.Bool("json", false, "print JSON")
			fs.String("o", "", "a `file`")
			Between(fs, "cut", 0, 9, "the number of cuts")
			return func(context.Context, Env, []string) error { return nil }
		},
	}
}

// TestGroups: help shows the flags of everyday use first, then those under headings.
func TestGroups(t *testing.T) {
	p := &Program{Name: "prog", Verbs: []Verb{grouped()}}
	var out bytes.Buffer
	require.Equal(t, Holds, p.Run(t.Context(), Env{&out, &out}, []string{"verb", "-h"}))
	require.Contains(t, out.String(), "\nflags:\n  -cut int\n    \tcuts\n  -heal int\n    \theals\n  -list\n    \tlists\n\noutput:\n  -json\n    \tprint JSON\n  -o file\n    \ta file\n")
}

// TestRules: flags that go together, and flags that do not.
func TestRules(t *testing.T) {
	requireSays(t, &Program{Name: "program", Verbs: []Verb{grouped()}}, map[string]string{
		"-heal 1":              "-heal 1: it needs -cut",
		"-heal 1 -cut 2":       "",
		"-o f -json":           "-o cannot be combined with -json",
		"-o f":                 "",
		"-json -cut 1":         "",
		"-heal 1 -json":        "-heal 1: it needs -cut",
		"-cut 1 -heal=10":      "",
		"-list -json":          "",
		"-cut 7 -o f":          "-cut 7 cannot be combined with -o",
		"-cut 6 -o f":          "",
		"-list -cut 1":         "-cut 1: -list does nothing else",
		"-list -cut 1 -heal 1": "",
	})
}

// TestTables: a table that names no flag of the verb, or shows too many at first, is found.
func TestTables(t *testing.T) {
	v := grouped()
	require.NoError(t, v.CheckTable())
	v.Rules = append(v.Rules, Rule{Flag: "cut", With: "nosuch"})
	require.EqualError(t, v.CheckTable(), "verb: there is no flag -nosuch")
	v = grouped()
	v.Groups[0].Flags[0] = "jsn"
	require.EqualError(t, v.CheckTable(), "verb: there is no flag -jsn")
	v = grouped()
	v.Setup = func(fs *flag.FlagSet) Body {
		grouped().Setup(fs)
		for i := range 9 {
			fs.Int(fmt.Sprint("more", i), 0, "")
		}
		return nil
	}
	require.EqualError(t, v.CheckTable(), "verb: 12 flags stand before the first heading; at most 10")
}
