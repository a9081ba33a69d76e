package edit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Edit is one change of a lock's source. Its text has one of these forms:
//
//	delete PLACE                     the statement that begins on the line
//	replace PLACE with CODE          the same
//	replace PLACE: OLD => NEW        text of the line, or else of the statement
//	insert before PLACE: CODE        and "insert after"
//	move PLACE after PLACE           and "move PLACE before PLACE": whole lines
//	in NAME: OLD => NEW              text of a function, method, type, variable or constant
//
// A PLACE is a label of the pseudo-code, as in a comment at the end of a line: "4". If
// several lines have it, "4#2" is the second of them. "4 in TryLock" is the
// one in that function or method, and "every 4" are all. OLD must be there
// exactly once. A space in it stands for any space, and NEW may be empty.
type Edit struct {
	text     string
	kind     string // "delete", "replace", "text", "insert", "move" or "in"
	at, to   place
	before   bool // of "insert" and "move"
	name     string
	old, new string
}

// String returns the edit as it was written.
func (e Edit) String() string { return e.text }

// MarshalText encodes the edit as it was written.
func (e Edit) MarshalText() ([]byte, error) { return []byte(e.text), nil }

// UnmarshalText reads an edit, as Parse does.
func (e *Edit) UnmarshalText(text []byte) (err error) {
	*e, err = Parse(string(text))
	return err
}

// New is the code that the edit puts into the source, or "".
func (e Edit) New() string { return e.new }

// Label is the label of the pseudo-code at which the edit is made, or "".
func (e Edit) Label() string { return e.at.label }

// place names lines by their label.
type place struct {
	label string
	which int // from 1; 0 for the only one
	every bool
	in    string // a function or method, or "" for all
}

// String returns the text of a place that names one line.
func (p place) String() string {
	text := fmt.Sprintf("%s#%d", p.label, p.which)
	if p.in != "" {
		text += " in " + p.in
	}
	return text
}

const placePattern = `((?:every )?[A-Za-z]?[0-9]+[a-z]?(?:#[1-9][0-9]*)?(?: in [A-Za-z0-9_.]+)?)`

var forms = []struct {
	kind string
	re   *regexp.Regexp
}{
	{"delete", regexp.MustCompile(`^delete ` + placePattern + `$`)},
	{"replace", regexp.MustCompile(`^replace ` + placePattern + ` with (.+)$`)},
	{"text", regexp.MustCompile(`^replace ` + placePattern + `: (.+?) =>(.*)$`)},
	{"insert", regexp.MustCompile(`^insert (before|after) ` + placePattern + `: (.+)$`)},
	{"move", regexp.MustCompile(`^move ` + placePattern + ` (before|after) ` + placePattern + `$`)},
	{"in", regexp.MustCompile(`^in ([A-Za-z0-9_.]+): (.+?) =>(.*)$`)},
}

var placeRE = regexp.MustCompile(`^(every )?([A-Za-z]?[0-9]+[a-z]?)(?:#([0-9]+))?(?: in (.+))?$`)

// Parse reads an edit.
func Parse(text string) (Edit, error) {
	e := Edit{text: text}
	for _, f := range forms {
		m := f.re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		switch e.kind = f.kind; e.kind {
		case "delete":
			e.at = parsePlace(m[1])
		case "replace":
			e.at, e.new = parsePlace(m[1]), m[2]
		case "text":
			e.at, e.old, e.new = parsePlace(m[1]), m[2], strings.TrimSpace(m[3])
		case "insert":
			e.before, e.at, e.new = m[1] == "before", parsePlace(m[2]), m[3]
		case "move":
			e.at, e.before, e.to = parsePlace(m[1]), m[2] == "before", parsePlace(m[3])
		case "in":
			e.name, e.old, e.new = m[1], m[2], strings.TrimSpace(m[3])
		}
		return e, nil
	}
	return e, fmt.Errorf(`%q is no edit: expected "delete 4", "replace 4 with CODE", "replace 4: OLD => NEW", `+
		`"insert before 4: CODE", "insert after 4: CODE", "move 4 after 5", "move 4 before 3" or "in NAME: OLD => NEW"`, text)
}

func parsePlace(text string) place {
	m := placeRE.FindStringSubmatch(text)
	which, _ := strconv.Atoi(m[3])
	return place{label: m[2], which: which, every: m[1] != "", in: m[4]}
}
