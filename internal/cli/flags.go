package cli

import (
	"errors"
	"flag"
	"fmt"
	"regexp"
	"strings"
	"time"
)

var (
	badValue = regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-([^:]*): (.*)$`)
	unknown  = regexp.MustCompile(`^flag provided but not defined: -(.*)$`)
)

// plain says what the flag package says in words that name what would be
// right: the new name of a flag, or the form of its value.
func plain(program string, err error, fs *flag.FlagSet, renamed map[string]string) error {
	if m := unknown.FindStringSubmatch(err.Error()); m != nil {
		if now := renamed[m[1]]; now != "" {
			return fmt.Errorf("-%s is now called %s", m[1], now)
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

// Given reports whether a flag was given, and a boolean one as true.
func Given(fs *flag.FlagSet, name string) bool {
	found := false
	fs.Visit(func(f *flag.Flag) { found = found || f.Name == name && f.Value.String() != "false" })
	return found
}

// once makes fs refuse a flag that is given twice: of two values one would be
// ignored. Flags that collect what they are given, as of type Collected, may be.
func once(fs *flag.FlagSet) {
	fs.VisitAll(func(f *flag.Flag) {
		if _, many := f.Value.(Collected); !many {
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

// Collected is a flag that may be given several times.
type Collected func(string) error

func (c Collected) Set(s string) error { return c(s) }
func (Collected) String() string       { return "" }
