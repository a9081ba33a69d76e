package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// What several verbs take is declared here, so that it means the same on all.

func algFlag(fs *flag.FlagSet, alg *string) {
	fs.StringVar(alg, "alg", "", "only the algorithms whose names match this `regexp` (default all)")
}

func jsonFlag(fs *flag.FlagSet, asJSON *bool) {
	fs.BoolVar(asJSON, "json", false, "print one JSON document")
}

func seedFlag(fs *flag.FlagSet, seed *uint64) {
	fs.Uint64Var(seed, "seed", 1, "seed of all randomness")
}

// jsonVersion is the version of what verbs print with -json.
const jsonVersion = 1

// printable returns s without what would move the cursor of a terminal or
// change its colours: names of files and what is in them may hold anything.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) {
			return r
		}
		return '\uFFFD'
	}, s)
}

// writeJSON writes the one document that -json prints. complete: all that was
// asked for is in it.
func writeJSON(w io.Writer, verb string, complete bool, results any) error {
	return writeDocument(w, fmt.Sprintf("shmbench %s %d", verb, jsonVersion), complete, results)
}

func writeDocument(w io.Writer, format string, complete bool, results any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Format   string `json:"format"`
		Complete bool   `json:"complete"`
		Results  any    `json:"results"`
	}{format, complete, results})
}

var (
	badValue = regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-([^:]*): (.*)$`)
	unknown  = regexp.MustCompile(`^flag provided but not defined: -(.*)$`)
)

// plain says what the flag package says in words that name what would be
// right: the new name of a flag, or the form of its value.
func plain(err error, fs *flag.FlagSet, renamed map[string]string) error {
	if m := unknown.FindStringSubmatch(err.Error()); m != nil {
		if now := renamed[m[1]]; now != "" {
			return fmt.Errorf("-%s is now called %s", m[1], now)
		}
		return fmt.Errorf("no flag -%s; shmbench %s -h lists the flags", m[1], fs.Name())
	}
	if name, ok := strings.CutSuffix(err.Error(), ": "+errTwice.Error()); ok {
		return fmt.Errorf("-%s is given twice", strings.TrimPrefix(name[strings.LastIndex(name, " ")+1:], "-"))
	}
	m := badValue.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	value, name, why := m[1], m[2], m[3]
	f := fs.Lookup(name).Value
	if single, ok := f.(*onceValue); ok {
		f = single.Value
	}
	if standard, ok := f.(flag.Getter); ok {
		if why = form(standard.Get()); strings.HasSuffix(err.Error(), "value out of range") {
			why = "it is out of range"
		}
	}
	return fmt.Errorf("-%s %s: %s", name, value, why)
}

// form says how a value of v's type is written.
func form(v any) string {
	switch v.(type) {
	case time.Duration:
		return "write a time with its unit, such as 100ns or 5s"
	case int, int64:
		return "write a whole number"
	case uint, uint64:
		return "write a whole number from 0 up"
	case float64:
		return "write a number"
	case bool:
		return "write true or false"
	}
	return "write a word"
}

// given reports whether a flag was given, and a boolean one as true.
func given(fs *flag.FlagSet, name string) bool {
	found := false
	fs.Visit(func(f *flag.Flag) { found = found || f.Name == name && f.Value.String() != "false" })
	return found
}

// once makes fs refuse a flag that is given twice: of two values one would be
// ignored. Flags that collect what they are given, as of type collected, may be.
func once(fs *flag.FlagSet) {
	fs.VisitAll(func(f *flag.Flag) {
		if _, many := f.Value.(collected); !many {
			f.Value = &onceValue{Value: f.Value}
		}
	})
}

type onceValue struct {
	flag.Value
	set bool
}

func (v *onceValue) Set(s string) error {
	if v.set {
		return errTwice
	}
	v.set = true
	return v.Value.Set(s)
}

func (v *onceValue) IsBoolFlag() bool {
	b, ok := v.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

var errTwice = errors.New("given twice")

// collected is a flag that may be given several times.
type collected func(string) error

func (c collected) Set(s string) error { return c(s) }
func (collected) String() string       { return "" }

// distinct refuses two of these flags that name one file.
func distinct(fs *flag.FlagSet, names ...string) error {
	for i, name := range names {
		file := fs.Lookup(name).Value.String()
		for _, other := range names[:i] {
			if file != "" && sameFile(file, fs.Lookup(other).Value.String()) {
				return fmt.Errorf("-%s and -%s both name %s: name two files", other, name, file)
			}
		}
	}
	return nil
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	if err == nil && err2 == nil {
		return os.SameFile(one, other)
	}
	absA, _ := filepath.Abs(a)
	absB, _ := filepath.Abs(b)
	return absA == absB
}

// inapplicable refuses flags that were given and could change nothing.
func inapplicable(fs *flag.FlagSet, why string, names ...string) error {
	for _, name := range names {
		if given(fs, name) || fs.Lookup(name).Value.String() != fs.Lookup(name).DefValue {
			return fmt.Errorf("-%s %v: %s", name, fs.Lookup(name).Value, why)
		}
	}
	return nil
}
