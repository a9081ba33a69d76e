// Package coverage makes docs/coverage.md, which compares the catalog with the locks of
// six libraries and of the Linux kernel, from the table coverage.txt. The page also lists the
// published locks of publications.txt, which the catalog leaves out.
package coverage

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed coverage.txt
var table string

//go:embed publications.txt
var publications string

// Repository is one library at a commit.
type Repository struct {
	Name, Commit string
	Files        []File
}

// File is one file with a lock.
type File struct {
	Path string
	// Status is "same", "other" or "absent".
	Status string
	// Lock is the lock of this module, with package and name; empty if absent.
	Lock string
	// Note is the difference, or the reason for the absence.
	Note string
}

// Publication is a published lock that the catalog leaves out.
type Publication struct{ Lock, Source, Reason string }

// Publications returns the published locks that the catalog leaves out, or an error that names
// the first line that is not of its form.
func Publications() ([]Publication, error) { return parsePublications(publications) }

func parsePublications(text string) (all []Publication, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 {
			return nil, fmt.Errorf("publications.txt:%d: %q: a lock, a publication and a reason are needed, with \" | \" between them", number, line)
		}
		all = append(all, Publication{Lock: parts[0], Source: parts[1], Reason: parts[2]})
	}
	return all, nil
}

// Repositories returns the table, or an error that names the first line that is not of
// its form.
func Repositories() ([]Repository, error) { return parse(table) }

func parse(text string) (all []Repository, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "repository "); ok {
			name, commit, _ := strings.Cut(rest, " ")
			all = append(all, Repository{Name: name, Commit: commit})
			continue
		}
		f, err := file(line)
		if err == nil && len(all) == 0 {
			err = fmt.Errorf("a file before the first repository")
		}
		if err != nil {
			return nil, fmt.Errorf("coverage.txt:%d: %v", number, err)
		}
		last := &all[len(all)-1]
		last.Files = append(last.Files, f)
	}
	return all, nil
}

func file(line string) (f File, err error) {
	parts := strings.SplitN(line, " ", 3)
	if len(parts) < 3 {
		return f, fmt.Errorf("%q: a file, a status and a lock or a reason are needed", line)
	}
	f = File{Path: parts[0], Status: parts[1]}
	switch f.Status {
	case "absent":
		f.Note = parts[2]
	case "same", "other":
		f.Lock, f.Note, _ = strings.Cut(parts[2], ": ")
		if (f.Note != "") != (f.Status == "other") {
			return f, fmt.Errorf("%q: another form has a difference behind a colon, and the same lock has none", line)
		}
	default:
		return f, fmt.Errorf("the status %q: it must be same, other or absent", f.Status)
	}
	return f, nil
}

const head = `# The catalog beside other collections of locks

This table lists the locks of four C suites, of libvsync, and of ` + "`kernel/locking`" + ` of the Linux
kernel, and the combining algorithms of one library. "Same" means that the catalog has the algorithm of the file. "Other form" means that the catalog
has a form of it with the named difference. The comparison is of algorithms, not of lines, memory orders
or the waiting loops. This command makes the page again from
[the table](../internal/tools/coverage/coverage.txt):

    go -C internal/tools test ./coverage -update

`

const missing = `
## Published locks that are not in the catalog

The catalog leaves out these locks. [The list](../internal/tools/coverage/publications.txt) has the locks that were considered, so it is not complete.

| lock | publication | reason |
|---|---|---|
`

// Page returns docs/coverage.md.
func Page(all []Repository, absent []Publication) string {
	var b strings.Builder
	b.WriteString(head)
	b.WriteString("| collection | files | same | other form | absent |\n|---|--:|--:|--:|--:|\n")
	for _, r := range all {
		count := map[string]int{}
		for _, f := range r.Files {
			count[f.Status]++
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", r.Name, len(r.Files), count["same"], count["other"], count["absent"])
	}
	for _, r := range all {
		fmt.Fprintf(&b, "\n## %s\n\nCommit: %s.\n\n| file | status | lock, difference or reason |\n|---|---|---|\n", r.Name, r.Commit)
		for _, f := range r.Files {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Path, strings.Replace(f.Status, "other", "other form", 1), f.text())
		}
	}
	b.WriteString(missing)
	for _, p := range absent {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", p.Lock, p.Source, p.Reason)
	}
	return b.String()
}

func (f File) text() string {
	switch {
	case f.Lock == "":
		return f.Note
	case f.Note == "":
		return "`" + f.Lock + "`"
	}
	return "`" + f.Lock + "`: " + f.Note
}
