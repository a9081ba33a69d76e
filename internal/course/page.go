package course

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"shmbench/mutants"
)

//go:embed introduction.md
var introduction string

// page is docs/teaching.md. old returns what a change replaces, and exists reports
// whether there is a file of this name in the tree.
func page(parts []Part, old func(Lock, Change) string, exists func(file string) bool) string {
	var b strings.Builder
	b.WriteString(introduction)
	number := 0
	for _, p := range parts {
		fmt.Fprintf(&b, "\n## %s\n", p.Title)
		if p.Text != "" {
			fmt.Fprintf(&b, "\n%s\n", p.Text)
		}
		table := false
		for _, l := range p.Locks {
			number++
			if l.Changes == nil {
				if !table {
					fmt.Fprint(&b, "\n| | lock | what it adds |\n|---|---|---|\n")
					table = true
				}
				fmt.Fprintf(&b, "| %d | [%s](../%s) | %s |\n", number, l.Name, l.where(exists), strings.ReplaceAll(l.Adds, "|", "\\|"))
				continue
			}
			fmt.Fprintf(&b, "\n### %d. [%s](../%s)\n\n%s%s\n\n", number, l.Name, l.File(), l.Adds, l.broken())
			for _, c := range l.Changes {
				fmt.Fprintf(&b, "%s\n\n", c.says(old(l, c)))
				if c.Trace != "" {
					fmt.Fprintf(&b, "```\n%s\n```\n\n", c.Trace)
				}
			}
		}
	}
	return blankLines.ReplaceAllString(strings.TrimRight(b.String(), "\n"), "\n\n") + "\n"
}

// says is the change in words, and what is lost by it; old is what it replaces.
func (c Change) says(old string) string {
	what := "delete " + code(old)
	if c.Edit.New() != "" {
		what = fmt.Sprintf("write %s instead of %s", code(c.Edit.New()), code(old))
	}
	return fmt.Sprintf("**Line %s**: %s. *Lost: %s.* %s", c.Edit.Label(), what, c.Found, c.Why)
}

// broken names the mutants of the lock, with the file that has them.
func (l Lock) broken() string {
	var names []string
	for _, m := range mutants.All() {
		if m.Of == l.Name {
			names = append(names, "`"+strings.TrimPrefix(m.Name, "mutants/")+"`")
		}
	}
	if names == nil {
		return ""
	}
	family, _, _ := strings.Cut(l.Name, "/")
	return fmt.Sprintf(" [Mutants](../mutants/%s.txt) of this lock: %s.", family, strings.Join(names, ", "))
}

var blankLines = regexp.MustCompile(`\n{3,}`)

var label = regexp.MustCompile(`(?m) *// \d+[a-z]?$`)

// code is source on one line, without its labels.
func code(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(label.ReplaceAllString(text, ""), "\n") {
		line = strings.TrimSpace(line)
		switch before := b.String(); {
		case before == "":
		case strings.HasSuffix(before, "{") || strings.HasPrefix(line, "}"):
			b.WriteString(" ")
		default:
			b.WriteString("; ")
		}
		b.WriteString(line)
	}
	return "`" + b.String() + "`"
}

// File is the lock's source file.
func (l Lock) File() string { return l.Name + ".go" }

// where is the lock's source file or, if that has another name, its family's folder.
func (l Lock) where(exists func(file string) bool) string {
	if exists(l.File()) {
		return l.File()
	}
	family, _, _ := strings.Cut(l.Name, "/")
	return family
}
