package main

import (
	"fmt"
	"strconv"
	"strings"
)

// joined writes a list as a flag takes it.
func joined[T any](list []T) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}

// parseInts reads the comma-separated whole numbers of a flag.
func parseInts(flag, text string) ([]int, error) {
	return parseList(flag, text, "whole numbers", strconv.Atoi)
}

// parseFloats reads the comma-separated numbers of a flag.
func parseFloats(flag, text string) ([]float64, error) {
	return parseList(flag, text, "numbers", func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
}

func parseList[T comparable](flag, text, what string, parse func(string) (T, error)) ([]T, error) {
	var list []T
	for part := range strings.SplitSeq(text, ",") {
		v, err := parse(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("%s: want %s with commas between them: %w", flag, what, err)
		}
		for _, known := range list {
			if known == v {
				return nil, fmt.Errorf("%s: %v is named twice in %q", flag, v, text)
			}
		}
		list = append(list, v)
	}
	return list, nil
}
