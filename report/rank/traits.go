package rank

import (
	"fmt"
	"strings"

	"shmbench/internal/cli/words"
)

// Trait is a property of locks by which a user can choose among locks that are as fast as one
// another. One and Many say that one lock or several locks have it: "is starvation-free".
type Trait struct {
	One, Many string
	Has       func(algorithm string) bool
}

// Group names up to three locks: "a, b and c". For more it says how many there are, "7 locks", and
// what distinguishes them: "; of these, a is first-come-first-served". A trait that all or none of
// them have does not, nor one that the same locks have as the trait before.
func Group(locks []string, traits []Trait) (named, among string) {
	if len(locks) <= mostNamed {
		return words.Listed(locks), ""
	}
	var said []string
	last := ""
	for _, t := range traits {
		var having []string
		for _, name := range locks {
			if t.Has(name) {
				having = append(having, name)
			}
		}
		same := strings.Join(having, " ")
		switch n := len(having); {
		case n == 0 || n == len(locks) || same == last:
			continue
		case n == 1:
			said = append(said, having[0]+" "+t.One)
		case n <= mostNamed:
			said = append(said, words.Listed(having)+" "+t.Many)
		default:
			said = append(said, fmt.Sprintf("%d %s", n, t.Many))
		}
		last = same
	}
	among = "; among them are " + words.Listed(locks[:mostNamed])
	if said != nil {
		among = "; of these, " + strings.Join(said, ", ")
	}
	return fmt.Sprintf("%d locks", len(locks)), among
}
