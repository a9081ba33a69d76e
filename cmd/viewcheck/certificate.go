package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// certificate is the content of a file that shmbench check -procs every -o FILE.json writes.
// docs/every-n.md describes it.
type certificate struct {
	Format   string
	Lock     string
	Compared []int
	Template template
	Levels   []level
}

const format = "shmbench views 1"

type level struct {
	Size  int
	Views [][]int
}

type template struct {
	Shared, Own []register
	Locations   []location
}

type register struct {
	Constants []string
	Initial   int
}

type location struct {
	Name             string
	Critical, Cursor bool
	Access           struct {
		At       string
		Register int
	}
	Rules []rule
}

type rule struct {
	Read, Write int
	Goto        []target
}

type target struct {
	Location int
	Cursor   cursor
}

type cursor struct {
	Kind, From, Own string
	Down, Around    bool
}

// The words of a cursor.
var (
	kinds = []string{"none", "same", "self", "read", "scan"}
	froms = []string{"end", "self", "cursor"}
	owns  = []string{"take", "skip", "stop"}
)

// The numbers for ids in a rule or an initial value, and for values that are written.
const (
	firstID   = -1
	ownID     = -2
	otherID   = -3
	unchanged = -4
	cursorID  = -5
)

// read reads a certificate, and refuses one whose numbers are out of range.
func read(r io.Reader) (*certificate, error) {
	var c certificate
	d := json.NewDecoder(r)
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("not a certificate: %w", err)
	}
	if c.Format != format {
		return nil, fmt.Errorf("the format is %q, want %q", c.Format, format)
	}
	for i, n := range c.Compared {
		if n < 2 || i > 0 && n <= c.Compared[i-1] {
			return nil, fmt.Errorf("the compared numbers of processes are %d: they must rise from 2 or more", c.Compared)
		}
	}
	if len(c.Compared) == 0 {
		return nil, fmt.Errorf("compared has no numbers of processes: the template was compared with no source")
	}
	t := &c.Template
	if !slices.ContainsFunc(t.Locations, func(l location) bool { return l.Critical }) {
		return nil, fmt.Errorf("no location is critical: there is nothing to prove")
	}
	if len(t.Locations) == 0 || len(t.Locations) >= none {
		return nil, fmt.Errorf("a template must have between 1 and %d locations, not %d", none-1, len(t.Locations))
	}
	for _, r := range append(slices.Clone(t.Shared), t.Own...) {
		if r.Initial < ownID || r.Initial >= min(none, len(r.Constants)) {
			return nil, fmt.Errorf("the initial value is %d", r.Initial)
		}
	}
	for i := range t.Locations {
		if err := t.wellFormed(&t.Locations[i]); err != nil {
			return nil, fmt.Errorf("location %d: %w", i, err)
		}
	}
	if len(c.Levels) == 0 {
		return nil, fmt.Errorf("there are no views")
	}
	for i, l := range c.Levels {
		if l.Size != i+2 || l.Size > mostMembers {
			return nil, fmt.Errorf("level %d has views of %d processes, want %d and at most %d", i, l.Size, i+2, mostMembers)
		}
		for _, v := range l.Views {
			if err := t.wellFormedView(v, l.Size); err != nil {
				return nil, fmt.Errorf("view %v: %w", v, err)
			}
		}
	}
	return &c, nil
}

func (t *template) wellFormed(l *location) error {
	nothing := l.Access.At == "nothing"
	var registers []register
	switch l.Access.At {
	case "nothing":
		registers = []register{{Constants: []string{""}}}
	case "shared":
		registers = t.Shared
	case "own", "cursor":
		registers = t.Own
	default:
		return fmt.Errorf("access at %q", l.Access.At)
	}
	if l.Access.Register < 0 || l.Access.Register >= len(registers) {
		return fmt.Errorf("there is no register %d", l.Access.Register)
	}
	constants := len(registers[l.Access.Register].Constants)
	seen := map[int]bool{}
	for _, r := range l.Rules {
		switch {
		case seen[r.Read]:
			return fmt.Errorf("two rules for the value %d", r.Read)
		case r.Read >= constants || r.Read < otherID || r.Read == firstID || nothing && r.Read < 0:
			return fmt.Errorf("a rule reads %d", r.Read)
		case r.Write >= constants || r.Write < cursorID || r.Write == firstID || r.Write == otherID:
			return fmt.Errorf("a rule writes %d", r.Write)
		case nothing && r.Write != unchanged:
			return fmt.Errorf("a rule writes without a register")
		case r.Write == cursorID && !l.Cursor:
			return fmt.Errorf("a rule writes the cursor, and there is none")
		}
		seen[r.Read] = true
		for _, to := range r.Goto {
			if to.Location < 0 || to.Location >= len(t.Locations) {
				return fmt.Errorf("there is no location %d", to.Location)
			}
			if c := to.Cursor; !slices.Contains(kinds, c.Kind) || c.Kind == "scan" && (!slices.Contains(froms, c.From) || !slices.Contains(owns, c.Own)) {
				return fmt.Errorf("a cursor %+v", c)
			}
		}
	}
	return nil
}

// wellFormedView checks the length of a view, and that locations and cursors can be told apart
// from values.
func (t *template) wellFormedView(v []int, size int) error {
	if len(v) != len(t.Shared)+size*(2+len(t.Own)) {
		return fmt.Errorf("the length is %d", len(v))
	}
	for i, x := range v {
		field := i - len(t.Shared)
		switch {
		case field >= 0 && field%(2+len(t.Own)) == 0:
			if x < 0 || x >= len(t.Locations) {
				return fmt.Errorf("there is no location %d", x)
			}
		case x < 0 || x > ref+2*size:
			return fmt.Errorf("there is no value %d", x)
		}
	}
	return nil
}
