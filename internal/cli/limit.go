package cli

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// number is the type of a value that has limits.
type number interface {
	int | int64 | uint64 | float64 | time.Duration
}

// Between makes a flag refuse values that are not from least to most. The flag holds a
// number, a time or a list of these. The argument what names one value in the error: "the
// number of processes".
func Between[T number](fs *flag.FlagSet, name string, least, most T, what string) {
	limit(fs, name, func(v T) bool { return v >= least && v <= most }, fmt.Sprintf("%s must be between %s and %s", what, spell(least), spell(most)))
}

// AtLeast is Between without an upper bound.
func AtLeast[T number](fs *flag.FlagSet, name string, least T, what string) {
	limit(fs, name, func(v T) bool { return v >= least }, fmt.Sprintf("%s must be at least %s", what, spell(least)))
}

// OneOf makes a flag refuse all words but these.
func OneOf(fs *flag.FlagSet, name, what string, words ...string) {
	f := fs.Lookup(name)
	last := len(words) - 1
	f.Value = &limited{Value: f.Value, says: fmt.Sprintf("%s must be %s or %s", what, strings.Join(words[:last], ", "), words[last]),
		within: func(value any) bool { return slices.Contains(words, value.(string)) }}
}

// Ending makes a flag that names a file refuse names without this ending.
func Ending(fs *flag.FlagSet, name, ending string) {
	f := fs.Lookup(name)
	f.Value = &limited{Value: f.Value, says: "the ending must be " + ending,
		within: func(value any) bool { return filepath.Ext(value.(string)) == ending }}
}

func limit[T number](fs *flag.FlagSet, name string, within func(T) bool, says string) {
	f := fs.Lookup(name)
	f.Value = &limited{Value: f.Value, says: says, within: func(value any) bool {
		var all []T
		switch x := value.(type) {
		case T:
			all = []T{x}
		case []T:
			all = x
		}
		for _, x := range all {
			if x-x != 0 || !within(x) { // infinity and what is no number
				return false
			}
		}
		return len(all) > 0
	}}
}

// spell is a bound as a user would write it: 24h and not 24h0m0s.
func spell[T number](v T) string {
	switch v := any(v).(type) {
	case time.Duration:
		s := strings.Replace(v.String(), "m0s", "m", 1)
		return strings.Replace(s, "h0m", "h", 1)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// limited is a flag's value with a limit.
type limited struct {
	flag.Value
	within  func(any) bool
	says    string
	refused bool // the value is of the right form, and not within the limit
}

func (l *limited) Set(s string) error {
	if err := l.Value.Set(s); err != nil {
		return err
	}
	if l.refused = !l.within(l.Value.(flag.Getter).Get()); l.refused {
		return fmt.Errorf("%s", l.says)
	}
	return nil
}

// Bare returns a flag's value without what this package has put around it.
func Bare(v flag.Value) flag.Value {
	switch v := v.(type) {
	case *onceValue:
		return Bare(v.Value)
	case *limited:
		return Bare(v.Value)
	case *file:
		return Bare(v.Value)
	}
	return v
}
