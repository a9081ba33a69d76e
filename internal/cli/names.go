package cli

import (
	"cmp"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// A Named is a list of things that flags choose from by name.
type Named[T any] struct {
	Kind string // "algorithm", "mutant"
	All  []T
	Name func(T) string
	List string // how to see the names; empty: an error lists them
	// Elsewhere says of what a regular expression matches that is none of these
	// where it is; nil if it is nowhere.
	Elsewhere func(*regexp.Regexp) string
	Flag      string         // that chooses; empty: alg
	VariantOf func(T) string // the name of the one that this is a variant of, or ""; nil where there are no variants
}

// Get returns the one called name.
func (l Named[T]) Get(name string) (T, error) {
	for _, x := range l.All {
		if l.Name(x) == name {
			return x, nil
		}
	}
	var none T
	instead := l.elsewhere(regexp.MustCompile("(^|/)" + regexp.QuoteMeta(name) + "$"))
	return none, fmt.Errorf("%s: there is no %s of this name; %s", Quote(name), l.Kind, cmp.Or(instead, l.instead(name)))
}

// Match returns the one of this name, or else those whose names the regular expression
// matches, in order; it is an error if there is none.
func (l Named[T]) Match(expr string) ([]T, error) {
	if i := slices.IndexFunc(l.All, func(x T) bool { return l.Name(x) == expr }); i >= 0 {
		return l.All[i : i+1], nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, l.refuse(expr, "this is no regular expression: %s", err.(*syntax.Error).Code)
	}
	var matched []T
	for _, x := range l.All {
		if re.MatchString(l.Name(x)) {
			matched = append(matched, x)
		}
	}
	if matched != nil {
		return matched, nil
	}
	if says := l.elsewhere(re); says != "" {
		return nil, l.refuse(expr, "no %s matches; %s", l.Kind, says)
	}
	if strings.Contains(expr, ",") {
		return nil, l.refuse(expr, "names are no longer listed with commas: write a regular expression, '%s'", strings.ReplaceAll(expr, ",", "|"))
	}
	return nil, l.refuse(expr, "no %s matches; %s", l.Kind, l.instead(expr))
}

// elsewhere says where names are that match, if they are elsewhere.
func (l Named[T]) elsewhere(re *regexp.Regexp) string {
	if l.Elsewhere == nil {
		return ""
	}
	return l.Elsewhere(re)
}

// refuse says why a value of the flag chooses nothing.
func (l Named[T]) refuse(value, format string, args ...any) error {
	return fmt.Errorf("-%s %s: %s", cmp.Or(l.Flag, "alg"), value, fmt.Sprintf(format, args...))
}

// instead names the nearest, if it is near: every third letter may be wrong.
func (l Named[T]) instead(name string) string {
	var words, full []string // of each name, its family and its short form mean it
	for _, x := range l.All {
		whole := l.Name(x)
		family, short, _ := strings.Cut(whole, "/")
		words, full = append(words, whole, family, short), append(full, whole, whole, whole)
	}
	best := Nearest(name, words)
	switch {
	case best != "":
		return fmt.Sprintf("did you mean %q?", full[slices.Index(words, best)])
	case l.List != "":
		return l.List
	}
	all := make([]string, len(l.All))
	for i, x := range l.All {
		all[i] = l.Name(x)
	}
	return "there are " + strings.Join(all, ", ")
}
