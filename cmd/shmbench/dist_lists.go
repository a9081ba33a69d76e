package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// joined writes a list as a flag takes it.
func joined[T any](list []T) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}

// parseInts reads the comma-separated whole numbers of a flag.
func parseInts(flag, text string) ([]int, error) {
	return parseList(flag, text, "whole number", strconv.Atoi)
}

// parseFloats reads the comma-separated numbers of a flag.
func parseFloats(flag, text string) ([]float64, error) {
	return parseList(flag, text, "number", func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
}

func parseList[T comparable](flag, text, what string, parse func(string) (T, error)) ([]T, error) {
	var list []T
	for part := range strings.SplitSeq(text, ",") {
		v, err := parse(strings.TrimSpace(part))
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s %s: %q is not a %s; a list is like 1,2,4", flag, text, part, what)
		case slices.Contains(list, v):
			return nil, fmt.Errorf("%s %s: %v is named twice", flag, text, v)
		}
		list = append(list, v)
	}
	return list, nil
}
