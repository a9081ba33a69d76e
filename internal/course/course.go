// Package course is the data of docs/course.md: in which order to read the locks,
// what each adds, and for the first of them what becomes of the lock when a line is
// missing. The page is made of the data, and a test makes every change in a copy of
// the lock's source, checks it, and compares.
package course

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed course.txt
var text string

// Part is a part of the course, which begins with prose.
type Part struct {
	Title, Text string
	Locks       []Lock
}

// Lock is a lock to be read.
type Lock struct {
	Name string
	// Adds is what the lock has that those before it do not.
	Adds string
	// Card is the function of the family's package that returns its card, if lines
	// of it are changed.
	Card string
	// Changes are to its lines, in their order.
	Changes []Change
}

// Change is to one line of the pseudo-code.
type Change struct {
	Label string
	// Old is replaced by New in the source. An empty Old is the whole statement that
	// has the label, or the one of several that Which counts, from 1.
	Old, New string
	Which    int
	// N is for how many processes the lock is checked.
	N int
	// Why says why the line is there, by what goes wrong.
	Why string
	// Found is the property that is lost, or "nothing", and Trace the execution.
	Found, Trace string
}

// fields of a block in course.txt; each is on a line of its own, and what follows
// "trace:" up to the end of the block is the trace.
func parse(text string) (parts []Part, err error) {
	for _, block := range strings.Split(strings.TrimRight(text, "\n"), "\n\n") {
		body, trace, _ := strings.Cut(block, "\ntrace:\n")
		field := map[string]string{}
		first := ""
		for line := range strings.SplitSeq(body, "\n") {
			name, value, ok := strings.Cut(line, ":")
			switch {
			case strings.HasPrefix(line, "#") || line == "":
				continue
			case !ok:
				return nil, fmt.Errorf("no field: %s", line)
			case first == "":
				first = name
			}
			field[name] = strings.TrimPrefix(value, " ")
		}
		var part *Part
		var lock *Lock
		if len(parts) > 0 {
			part = &parts[len(parts)-1]
			if len(part.Locks) > 0 {
				lock = &part.Locks[len(part.Locks)-1]
			}
		}
		switch {
		case first == "":
		case first == "part":
			parts = append(parts, Part{Title: field["part"], Text: field["text"]})
		case part == nil:
			return nil, fmt.Errorf("it begins with %s, and not with a part", first)
		case first == "lock":
			part.Locks = append(part.Locks, Lock{Name: field["lock"], Adds: field["adds"], Card: field["card"]})
		case first == "line" && lock != nil:
			c := Change{Label: field["line"], New: field["with"], N: 2, Why: field["why"], Found: field["found"], Trace: trace}
			if change, ok := field["change"]; ok {
				if c.Old, c.New, ok = strings.Cut(change, " => "); !ok {
					c.Old, c.New = strings.TrimSuffix(change, " =>"), ""
				}
			}
			if _, err := fmt.Sscan(or(field["which"], "1")+" "+or(field["n"], "2"), &c.Which, &c.N); err != nil {
				return nil, fmt.Errorf("%s, line %s: %w", lock.Name, c.Label, err)
			}
			lock.Changes = append(lock.Changes, c)
		default:
			return nil, fmt.Errorf("%q is no block: part, lock or line", first)
		}
	}
	return parts, nil
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
