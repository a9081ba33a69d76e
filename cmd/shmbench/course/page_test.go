package course

import (
	_ "embed"
	"fmt"
	"path"
	"regexp"
	"strings"

	"shmbench/catalog/mutants"
	"shmbench/internal/build/sources"
)

//go:embed introduction.md
var introduction string

// page is docs/teaching.md, with a section of exercises. old returns what a change replaces, and
// exists reports whether there is a file of this name in the tree.
func page(parts []Part, exercises string, old func(Lock, Change) string, exists func(file string) bool) string {
	var b strings.Builder
	b.WriteString(introduction)
	b.WriteString(exercises)
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

// exercisesSection is the section of docs/teaching.md that lists the exercises.
func exercisesSection(all []Exercise) string {
	var b strings.Builder
	b.WriteString("\n## Twelve exercises\n\n    shmbench play -course -o course.html\n\n" +
		"This command writes a page on which a student steps each process by hand, until the goal is reached. The page says so then, and why.\n" +
		"`course.html#exercise=7` opens an exercise. The button \"copy link\" copies a link with the steps so far: a student hands in a solution as a link.\n" +
		"[Playing a lock](playing.md) explains the page.\n\n| | lock | changed | task |\n|---|---|---|---|\n")
	for i, e := range all {
		changed := "no"
		if len(e.Edits) > 0 {
			changed = "`" + strings.ReplaceAll(e.Edits[0].String(), "|", "\\|") + "`"
		}
		fmt.Fprintf(&b, "| %d | %s, n = %d | %s | %s |\n", i+1, e.Lock, e.N, changed, e.Task)
	}
	return b.String()
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
	return fmt.Sprintf(" [Mutants](../catalog/mutants/%s.txt) of this lock: %s.", family, strings.Join(names, ", "))
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
func (l Lock) File() string {
	family, name, _ := strings.Cut(l.Name, "/")
	return sources.Folder(sources.Files(), family) + "/" + name + ".go"
}

// where is the lock's source file or, if that has another name, its family's folder.
func (l Lock) where(exists func(file string) bool) string {
	if exists(l.File()) {
		return l.File()
	}
	return path.Dir(l.File())
}
