package course

import (
	_ "embed"
	"strconv"

	"shmbench/internal/build/edit"
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
	// Changes are to its lines, in their order.
	Changes []Change
}

// Change is an edit at one line of the pseudo-code.
type Change struct {
	Edit edit.Edit
	// N is for how many processes the lock is checked.
	N int
	// Why says why the line is there: what goes wrong without it.
	Why string
	// Found is the property that is lost, or "nothing", and Trace the execution.
	Found, Trace string
}

// kinds are the blocks of course.txt.
var kinds = map[string][]string{"part": {"text"}, "lock": {"adds"}, "edit": {"n", "why"}}

// parse reads the data, which has neither what is found of a change nor its trace.
func parse(file, text string) (parts []Part, err error) {
	blocks, err := edit.Blocks(file, text, kinds)
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		kind, value := b.Fields[0].Name, b.Fields[0].Value
		if kind == "part" {
			parts = append(parts, Part{Title: value, Text: b.Get("text")})
			continue
		}
		if parts == nil {
			return nil, b.Errorf(kind, "expected a block that begins with \"part:\" before the first %s", kind)
		}
		part := &parts[len(parts)-1]
		if kind == "lock" {
			part.Locks = append(part.Locks, Lock{Name: value, Adds: b.Get("adds")})
			continue
		}
		if part.Locks == nil {
			return nil, b.Errorf(kind, "expected a block that begins with \"lock:\" before the first edit")
		}
		c, err := change(b)
		if err != nil {
			return nil, err
		}
		lock := &part.Locks[len(part.Locks)-1]
		lock.Changes = append(lock.Changes, c)
	}
	return parts, nil
}

func change(b edit.Block) (Change, error) {
	edits, err := b.Edits()
	if err != nil {
		return Change{}, err
	}
	c := Change{Edit: edits[0], N: 2, Why: b.Get("why")}
	if n := b.Get("n"); n != "" {
		if c.N, err = strconv.Atoi(n); err != nil {
			return c, b.Errorf("n", "%q: expected a number of processes", n)
		}
	}
	return c, nil
}
