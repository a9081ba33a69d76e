// Package edit makes changed copies of the locks' own source: a mutant is a shipped
// lock with an edit, and so is a change of the course.
//
// A data file consists of blocks. The name of its first field begins a block, and an empty
// line ends one. A block consists of fields, "name: value" on a line each. A line that begins with a space or a tab
// continues the value before it. A line that begins with # is a comment.
package edit

import (
	"fmt"
	"slices"
	"strings"
)

// Block is a block of a data file.
type Block struct {
	File   string
	Line   int // of its first field
	Fields []Field
}

// Field is a field of a block.
type Field struct {
	Name, Value string
	Line        int
}

// Blocks reads a data file. The first field of a block names its kind, and
// kinds has the other fields that a block of that kind may have. The errors name the
// file, the line and what was expected.
func Blocks(file, text string, kinds map[string][]string) ([]Block, error) {
	var all []Block
	var b *Block // nil between blocks
	for i, line := range strings.Split(text, "\n") {
		fail := func(format string, args ...any) ([]Block, error) {
			return nil, fmt.Errorf("%s:%d: %s", file, i+1, fmt.Sprintf(format, args...))
		}
		name, value, ok := strings.Cut(line, ":")
		switch {
		case strings.TrimSpace(line) == "":
			b = nil
			continue
		case line[0] == '#':
			continue
		case (line[0] == ' ' || line[0] == '\t') && b != nil:
			f := &b.Fields[len(b.Fields)-1]
			f.Value = joined(f.Value, strings.TrimSpace(line))
			continue
		case !ok:
			return fail("%q: expected a field, \"name: value\"", line)
		case b == nil || begins(kinds, name):
			if !begins(kinds, name) {
				return fail("%q begins no block: expected %s", name, orNames(kinds))
			}
			all = append(all, Block{File: file, Line: i + 1})
			b = &all[len(all)-1]
		case !slices.Contains(kinds[b.Fields[0].Name], name):
			return fail("%q is no field of a block that begins with %q: expected one of %s", name, b.Fields[0].Name, strings.Join(kinds[b.Fields[0].Name], ", "))
		}
		b.Fields = append(b.Fields, Field{name, strings.TrimSpace(value), i + 1})
	}
	return all, nil
}

// begins reports whether a field begins a block.
func begins(kinds map[string][]string, field string) bool {
	_, ok := kinds[field]
	return ok
}

// orNames lists the kinds of blocks.
func orNames(kinds map[string][]string) string {
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " or ")
}

// joined returns two lines of Go, or of prose, as one.
func joined(a, b string) string {
	if a == "" || strings.HasPrefix(b, "}") || strings.ContainsAny(a[len(a)-1:], "{(,|&") || !strings.ContainsAny(a+b, "{}") {
		return strings.TrimSpace(a + " " + b)
	}
	return a + "; " + b
}

// Get returns the value of a field, or "".
func (b Block) Get(name string) string {
	for _, f := range b.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Errorf returns an error about a field, or about the block if it has none of that name.
func (b Block) Errorf(name, format string, args ...any) error {
	line := b.Line
	for _, f := range b.Fields {
		if f.Name == name {
			line = f.Line
			break
		}
	}
	return fmt.Errorf("%s:%d: %s", b.File, line, fmt.Sprintf(format, args...))
}

// Edits returns the edits of a block, in their order.
func (b Block) Edits() ([]Edit, error) {
	var all []Edit
	for _, f := range b.Fields {
		if f.Name != "edit" {
			continue
		}
		e, err := Parse(f.Value)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", b.File, f.Line, err)
		}
		all = append(all, e)
	}
	return all, nil
}
