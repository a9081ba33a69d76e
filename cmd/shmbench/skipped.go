package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// skipped holds the names of the locks that cannot have some number of processes, by that number.
type skipped map[int][]string

// say prints a line for each set of names, with the numbers of procs that skip it.
func (s skipped) say(stderr io.Writer, procs []int) {
	numbers := map[string][]string{}
	var lists []string
	for _, n := range procs {
		if s[n] == nil {
			continue
		}
		list := strings.Join(s[n], ", ")
		if !slices.Contains(lists, list) {
			lists = append(lists, list)
		}
		numbers[list] = append(numbers[list], strconv.Itoa(n))
	}
	for _, list := range lists {
		word := "processes"
		if slices.Equal(numbers[list], []string{"1"}) {
			word = "process"
		}
		fmt.Fprintf(stderr, "not for %s %s, and skipped there: %s\n", strings.Join(numbers[list], ", "), word, list)
	}
}
