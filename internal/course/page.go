package course

import (
	"fmt"
	"regexp"
	"strings"
)

// page is docs/course.md. old returns what a change replaces, and exists reports
// whether there is a file of this name in the tree.
func page(parts []Part, old func(Lock, Change) string, exists func(file string) bool) string {
	var b strings.Builder
	fmt.Fprint(&b, `# A course on mutual exclusion

For teachers, and for who reads alone: in which order to read the locks, what each adds to those before it, and for the first ten why each line is
there. Every lock is one file, with its paper, its pseudo-code and why it works in the comment of its type.

Take a line away, and see what it was there for:

    $EDITOR peterson/peterson.go                        # delete a line of Lock or Unlock
    go run ./cmd/shmbench check -alg '^peterson/peterson$' -procs 2
    git checkout peterson/peterson.go

The checker reads the source and shows a shortest execution in which something goes wrong. What it shows is below, line by line: in a step, the line of
the pseudo-code, the register, and its value; nothing depends on a value `+"`(any)`"+`. Who `+"`enters`"+` is inside. A cycle goes on for ever. A test makes each of these
changes in a copy of the source and compares what comes of it, on the model and on the compiled code; this page is made from its data
(`+"`internal/course/course.txt`"+`). The [mutants](../mutants) are edits of the same form, of all locks.
`)
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
			fmt.Fprintf(&b, "\n### %d. [%s](../%s)\n\n%s\n\n", number, l.Name, l.File(), l.Adds)
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
