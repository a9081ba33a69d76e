package catalog

import (
	"fmt"
	"regexp"
	"strings"

	"shmbench/shm"
)

// Get returns the algorithm called name. The error for an unknown name
// suggests the nearest one.
func Get(name string) (shm.Algorithm, error) {
	for _, a := range All() {
		if a.Name == name {
			return a, nil
		}
	}
	for _, a := range Absent() {
		if a.Name == name {
			return shm.Algorithm{}, fmt.Errorf("no algorithm %q on this platform: %s", name, a.Reason)
		}
	}
	return shm.Algorithm{}, fmt.Errorf("no algorithm %q; did you mean %q?", name, nearest(name))
}

// Match returns the algorithms whose names the regular expression matches, in
// the catalogue's order, or an error if the expression is malformed or matches
// none.
func Match(expr string) ([]shm.Algorithm, error) {
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("bad regular expression %q: %v", expr, err)
	}
	var matched []shm.Algorithm
	for _, a := range All() {
		if re.MatchString(a.Name) {
			matched = append(matched, a)
		}
	}
	if matched == nil {
		return nil, fmt.Errorf("no algorithm matches %q; did you mean %q?", expr, nearest(expr))
	}
	return matched, nil
}

// nearest returns the algorithm whose name, or whose part before or after the
// slash, is the fewest edits away from name.
func nearest(name string) string {
	best, least := "", -1
	for _, a := range All() {
		family, lock, _ := strings.Cut(a.Name, "/")
		d := min(distance(name, a.Name), distance(name, family), distance(name, lock))
		if least < 0 || d < least {
			best, least = a.Name, d
		}
	}
	return best
}

// distance is the Levenshtein distance between two ASCII strings.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
