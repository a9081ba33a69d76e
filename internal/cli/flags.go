package cli

import (
	"errors"
	"flag"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	badValue = regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-([^:]*): (.*)$`)
	unknown  = regexp.MustCompile(`^flag provided but not defined: -(.*)$`)
)

// plain says what the flag package says in words that name what would be
// right: a flag with a similar name, or the form of the value.
func plain(program string, err error, fs *flag.FlagSet) error {
	if m := unknown.FindStringSubmatch(err.Error()); m != nil {
		var names []string
		fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
		if near := Nearest(m[1], names); near != "" {
			return fmt.Errorf("no flag -%s; did you mean -%s?", m[1], near)
		}
		return fmt.Errorf("no flag -%s; %s %s -h lists the flags", m[1], program, fs.Name())
	}
	if name, ok := strings.CutSuffix(err.Error(), ": "+errTwice.Error()); ok {
		return fmt.Errorf("-%s is given twice", strings.TrimPrefix(name[strings.LastIndex(name, " ")+1:], "-"))
	}
	m := badValue.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	value, name, why := m[1], m[2], m[3]
	if value == "" {
		return fmt.Errorf("-%s \"\": the value must not be empty; leave -%s out for the default", name, name)
	}
	return fmt.Errorf("-%s %s: %s", name, value, reason(fs.Lookup(name).Value, value, why))
}

// beyond is a time that has the right form, and is refused only if it is too long.
var beyond = regexp.MustCompile(`^[-+]?[0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h)$`)

// reason says what a value of f must be that f has refused with the error why.
func reason(f flag.Value, value, why string) string {
	tooFar := strings.HasSuffix(why, "value out of range") || why == "parse error" && beyond.MatchString(value)
	if single, ok := f.(*onceValue); ok {
		f = single.Value
	}
	if named, ok := f.(*file); ok {
		f = named.Value
	}
	if l, ok := f.(*limited); ok && (l.refused || tooFar) {
		return l.says
	}
	if standard, ok := Bare(f).(flag.Getter); ok && reflect.TypeOf(standard).Elem().PkgPath() == "flag" {
		if tooFar {
			return "it is out of range"
		}
		return form(standard.Get())
	}
	return why
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

// Given reports whether a flag was given, and a boolean one as true.
func Given(fs *flag.FlagSet, name string) bool {
	found := false
	fs.Visit(func(f *flag.Flag) { found = found || f.Name == name && f.Value.String() != "false" })
	return found
}

// once makes fs refuse a flag that is given twice, as one of two values would be
// ignored, and an empty value, which would silently be the default. Flags that
// collect what they are given, of types Collected and Files, may be given twice.
func once(fs *flag.FlagSet) {
	fs.VisitAll(func(f *flag.Flag) {
		switch Bare(f.Value).(type) {
		case Collected, Files:
		default:
			f.Value = &onceValue{Value: f.Value}
		}
	})
}

type onceValue struct {
	flag.Value
	set bool
}

func (v *onceValue) Set(s string) error {
	switch {
	case v.set:
		return errTwice
	case s == "":
		return errors.New("empty") // plain says it in full
	}
	v.set = true
	return v.Value.Set(s)
}

func (v *onceValue) IsBoolFlag() bool {
	b, ok := v.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

var errTwice = errors.New("given twice")

// Collected is a flag that may be given several times.
type Collected func(string) error

func (c Collected) Set(s string) error { return c(s) }
func (Collected) String() string       { return "" }

// Of adds to an error that it is about the value of a flag, if the error does not say so
// itself. If the error is nil, Of returns nil.
func Of(fs *flag.FlagSet, name string, err error) error {
	return OfValue(name, fs.Lookup(name).Value.String(), err)
}

// OfValue is Of for the value of a flag that is known by itself.
func OfValue(name, value string, err error) error {
	if err == nil || strings.HasPrefix(err.Error(), "-"+name+" ") {
		return err
	}
	if rest, ok := strings.CutPrefix(err.Error(), fmt.Sprintf("%s %q: ", name, value)); ok {
		err = errors.New(rest)
	}
	if strings.HasPrefix(err.Error(), value+": ") {
		return fmt.Errorf("-%s %w", name, err)
	}
	return fmt.Errorf("-%s %s: %w", name, value, err)
}

// Refuse refuses the named flags if they were given, because none of them could
// change anything here. The error says why.
func Refuse(fs *flag.FlagSet, why string, names ...string) error {
	for _, name := range names {
		if f := fs.Lookup(name); wasGiven(fs, name) {
			return fmt.Errorf("%s: %s", spelled(f), why)
		}
	}
	return nil
}

// Only refuses all flags that were given but the named ones.
func Only(fs *flag.FlagSet, why string, names ...string) (err error) {
	fs.Visit(func(f *flag.Flag) {
		if err == nil && !slices.Contains(names, f.Name) {
			err = Refuse(fs, why, f.Name)
		}
	})
	return err
}

// wasGiven reports whether a flag was given, with any value but that of a boolean
// flag that is not set by default.
func wasGiven(fs *flag.FlagSet, name string) bool {
	f := fs.Lookup(name)
	return Given(fs, name) || f.Value.String() != f.DefValue
}

// spelled is a flag with its value as one would write it.
func spelled(f *flag.Flag) string {
	value := f.Value.String()
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	switch {
	case value == "": // as that of a flag that may be repeated
		return "-" + f.Name
	case !ok || !b.IsBoolFlag():
		return "-" + f.Name + " " + value
	case value == "true":
		return "-" + f.Name
	}
	return "-" + f.Name + "=" + value
}

// AlgFlag declares -alg of a verb that takes all algorithms by default.
func AlgFlag(fs *flag.FlagSet, alg *string) {
	fs.StringVar(alg, "alg", "", "only the algorithms whose names match this `regexp` (default all)")
}

// JSONFlag declares -json.
func JSONFlag(fs *flag.FlagSet, asJSON *bool) {
	fs.BoolVar(asJSON, "json", false, "print one JSON document")
}

// SeedFlag declares -seed.
func SeedFlag(fs *flag.FlagSet, seed *uint64) {
	fs.Uint64Var(seed, "seed", 1, "seed of all randomness")
}
