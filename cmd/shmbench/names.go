package main

import (
	"cmp"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"shmbench/catalog"
	"shmbench/exhibits"
	"shmbench/internal/cli"
	"shmbench/mutants"
	"shmbench/shm"
)

// A named is a list of things that flags choose from by name.
type named[T any] struct {
	kind string // "algorithm", "mutant"
	all  []T
	name func(T) string
	list string // how to see the names; empty: an error lists them
	// elsewhere says of what a regular expression matches that is none of these
	// where it is; nil if it is nowhere.
	elsewhere func(*regexp.Regexp) string
	flag      string         // that chooses; empty: alg
	variantOf func(T) string // the name of the one that this is a variant of, or ""; nil where there are no variants
}

func locks() named[shm.Algorithm] {
	return named[shm.Algorithm]{kind: "algorithm", all: catalog.All(), name: func(a shm.Algorithm) string { return a.Name }, list: "shmbench list shows the names", elsewhere: wrongLock,
		variantOf: func(a shm.Algorithm) string { return a.VariantOf }}
}

func brokenLocks() named[mutants.Mutant] {
	return named[mutants.Mutant]{kind: "mutant", all: mutants.All(), name: func(m mutants.Mutant) string { return m.Name }, list: "shmbench list -mutants shows the names"}
}

// wrongLock says of a name that it is an exhibit's.
func wrongLock(re *regexp.Regexp) string {
	for _, e := range exhibits.All() {
		if re.MatchString(e.Name) {
			return fmt.Sprintf("%s was published and is wrong: shmbench check -exhibits shows it", e.Name)
		}
	}
	return ""
}

// get returns the one called name.
func (l named[T]) get(name string) (T, error) {
	for _, x := range l.all {
		if l.name(x) == name {
			return x, nil
		}
	}
	var none T
	return none, l.refuse(name, "there is no %s of this name; %s", l.kind, l.instead(name))
}

// match returns the one of this name, or else those whose names the regular expression
// matches, in order; it is an error if there is none.
func (l named[T]) match(expr string) ([]T, error) {
	if i := slices.IndexFunc(l.all, func(x T) bool { return l.name(x) == expr }); i >= 0 {
		return l.all[i : i+1], nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, l.refuse(expr, "this is no regular expression: %s", err.(*syntax.Error).Code)
	}
	var matched []T
	for _, x := range l.all {
		if re.MatchString(l.name(x)) {
			matched = append(matched, x)
		}
	}
	if matched == nil && l.elsewhere != nil {
		if says := l.elsewhere(re); says != "" {
			return nil, l.refuse(expr, "no %s matches; %s", l.kind, says)
		}
	}
	switch {
	case matched == nil && strings.Contains(expr, ","):
		return nil, l.refuse(expr, "names are no longer listed with commas: write a regular expression, '%s'", strings.ReplaceAll(expr, ",", "|"))
	case matched == nil:
		return nil, l.refuse(expr, "no %s matches; %s", l.kind, l.instead(expr))
	}
	return matched, nil
}

// refuse says why a value of the flag chooses nothing.
func (l named[T]) refuse(value, format string, args ...any) error {
	return fmt.Errorf("-%s %s: %s", cmp.Or(l.flag, "alg"), value, fmt.Sprintf(format, args...))
}

// instead names the nearest, if it is near: every third letter may be wrong.
func (l named[T]) instead(name string) string {
	var words, full []string // of each name, its family and its short form mean it
	for _, x := range l.all {
		whole := l.name(x)
		family, short, _ := strings.Cut(whole, "/")
		words, full = append(words, whole, family, short), append(full, whole, whole, whole)
	}
	best := cli.Nearest(name, words)
	switch {
	case best != "":
		return fmt.Sprintf("did you mean %q?", full[slices.Index(words, best)])
	case l.list != "":
		return l.list
	}
	all := make([]string, len(l.all))
	for i, x := range l.all {
		all[i] = l.name(x)
	}
	return "there are " + strings.Join(all, ", ")
}
