package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Joined writes a list as a flag takes it.
func Joined[T any](list []T) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}

// Numbers is the flag value of a list of different numbers, whose order counts.
type Numbers[T int | float64] []T

func (l *Numbers[T]) Set(text string) error {
	*l = nil
	for part := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		switch {
		case err != nil || float64(T(v)) != v:
			return fmt.Errorf("%q is not a %s; a list is like 1,2,4", part, l.kind())
		case slices.Contains(*l, T(v)):
			return fmt.Errorf("%v is named twice", v)
		}
		*l = append(*l, T(v))
	}
	return nil
}

func (l *Numbers[T]) kind() string {
	if _, whole := any(T(0)).(int); whole {
		return "whole number"
	}
	return "number"
}

// Get makes Numbers a flag.Getter.
func (l *Numbers[T]) Get() any { return []T(*l) }

func (l *Numbers[T]) String() string { return Joined(*l) }
