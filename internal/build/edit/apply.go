package edit

import (
	"regexp"
	"slices"
	"strings"
)

// Apply makes edits in the text of a source file, one after the other, and returns the
// text and what each edit replaced. No line moves but those of a "move" and between its
// two places. The name is for errors, which say which edit has no place.
func Apply(name, text string, edits []Edit) (changed string, replaced []string, err error) {
	for _, e := range edits {
		s, err := parse(name, text)
		if err != nil {
			return "", nil, err
		}
		before, old := text, ""
		if text, old, err = s.apply(e); err != nil {
			return "", nil, err
		}
		if text == before {
			return "", nil, s.errorf("the edit %q changes nothing: expected other code than is there", e.text)
		}
		replaced = append(replaced, old)
	}
	text, err = tidy(name, text)
	return text, replaced, err
}

func (s *source) apply(e Edit) (text, old string, err error) {
	switch e.kind {
	case "in":
		begin, end, err := s.declaration(e.name)
		if err != nil {
			return "", "", err
		}
		begin, end, err = s.once(e.old, begin, end, "in "+e.name)
		if err != nil {
			return "", "", err
		}
		return s.splice(begin, end, e.new), s.text[begin:end], nil
	case "move":
		return s.move(e)
	}
	lines, err := s.find(e.at)
	if err != nil {
		return "", "", err
	}
	for _, line := range slices.Backward(lines) { // what comes later does not move what comes before
		begin, end, err := s.region(e, line)
		if err != nil {
			return "", "", err
		}
		old, s.text = s.text[begin:end], s.splice(begin, end, e.replacement(s.text[begin:end]))
	}
	return s.text, old, nil
}

// replacement returns what an edit makes of what it finds.
func (e Edit) replacement(old string) string {
	switch {
	case e.kind == "insert" && e.before:
		return e.new + "; " + old
	case e.kind == "insert":
		return old + "; " + e.new
	}
	return e.new
}

// region returns where an edit at a line is made.
func (s *source) region(e Edit, line int) (begin, end int, err error) {
	if e.kind != "text" {
		return s.statement(line)
	}
	where := "at line " + e.at.label
	begin = s.lineStart(line)
	end = begin + len(s.lineText(begin))
	if b, f, err := s.once(e.old, begin, end, where); err == nil {
		return b, f, nil
	}
	if b, f, err := s.statement(line); err == nil {
		begin, end = b, max(f, end)
	}
	return s.once(e.old, begin, end, where)
}

// declaration returns where the declaration of a name is, without what comes before
// and after it in a list.
func (s *source) declaration(name string) (begin, end int, err error) {
	found := 0
	for _, d := range s.ast.Decls {
		if named(strings.Join(declared(d), " "), name) {
			found++
			begin, end = s.offset(d.Pos()), s.offset(d.End())
		}
	}
	switch found {
	case 0:
		return 0, 0, s.errorf("nothing called %s is declared", name)
	case 1:
		return begin, end, nil
	}
	return 0, 0, s.errorf("%d declarations are called %s: expected one, such as \"Type.%s\"", found, name, name)
}

var comment = regexp.MustCompile(` *//.*$`)

// splice returns the text with a part replaced, in as many lines. A label at the end of
// the part's first line stays there.
func (s *source) splice(begin, end int, with string) string {
	old := s.text[begin:end]
	lost := strings.Count(old, "\n") - strings.Count(with, "\n")
	if first, _, more := strings.Cut(old, "\n"); more && lost > 0 {
		with += comment.FindString(first) + strings.Repeat("\n", lost)
	}
	return s.text[:begin] + with + s.text[end:]
}

// move moves the lines of a statement.
func (s *source) move(e Edit) (text, old string, err error) {
	first, last, err := s.whole(e.at)
	if err != nil {
		return "", "", err
	}
	toFirst, toLast, err := s.whole(e.to)
	if err != nil {
		return "", "", err
	}
	if first <= toLast && toFirst <= last {
		return "", "", s.errorf("line %s cannot be moved: one of the two statements is in the other", e.at.label)
	}
	lines := s.lines()
	moved := slices.Clone(lines[first-1 : last])
	to := toLast
	if e.before {
		to = toFirst - 1
	}
	if to >= last {
		to -= len(moved)
	}
	lines = slices.Insert(slices.Delete(lines, first-1, last), to, moved...)
	return strings.Join(lines, "\n"), strings.Join(moved, "\n"), nil
}

// whole returns the first and last line of a statement that has them to itself.
func (s *source) whole(p place) (first, last int, err error) {
	lines, err := s.find(p)
	if err != nil {
		return 0, 0, err
	}
	begin, end, err := s.statement(lines[0])
	if err != nil {
		return 0, 0, err
	}
	after := comment.ReplaceAllString(s.lineText(end), "")
	if p.every || strings.TrimSpace(s.text[s.lineStart(lines[0]):begin]) != "" || strings.TrimSpace(after) != "" {
		return 0, 0, s.errorf("line %s is no single statement with lines of its own", p.label)
	}
	return lines[0], lines[0] + strings.Count(s.text[begin:end], "\n"), nil
}
