package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// IntList is the flag value of a list of numbers of processes: "1,2,4". It is
// kept sorted, each number once.
type IntList []int

// Set reads a list such as "1,2,4".
func (l *IntList) Set(s string) error {
	*l = nil
	for word := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if errors.Is(err, strconv.ErrRange) {
			return err // the limit of the flag says what would be right
		}
		if err != nil {
			return fmt.Errorf("%q is not a whole number; a list is like 1,2,4", word)
		}
		*l = append(*l, n)
	}
	slices.Sort(*l)
	*l = slices.Compact(*l)
	return nil
}

// Get makes IntList a flag.Getter.
func (l *IntList) Get() any { return []int(*l) }

func (l IntList) String() string {
	words := make([]string, len(l))
	for i, n := range l {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}
