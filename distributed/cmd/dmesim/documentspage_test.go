package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// documentsIntro begins the page.
const documentsIntro = `# Five texts, statement by statement

Five texts on mutual exclusion make statements that dmesim and shmbench can test. This command tests that Maekawa's algorithm needs its INQUIRE message:

    dmesim explore -alg maekawa-no-inquire -nodes 2

It prints "deadlock freedom is violated" and an execution that ends in the deadlock.

The tables have each statement, where it is in the text, the command, and the result that the command prints. The
result that the text states follows in parentheses if it is a figure or differs. A statement is *refuted* if the two disagree.

A text often says that an algorithm needs one of its parts. The command then runs a variant without this part, and the result is the property
that the variant loses. A replayed figure prints "as it should be". Results of check are cells of [its table](../../docs/checking.md#how-to-read-the-output).

Tests run the commands and compare the results. The page is made from distributed/cmd/dmesim/testdata/documents.txt. To add a statement, see
[CONTRIBUTING](../../CONTRIBUTING.md#pages-made-of-data).
`

// A documentPart is the rows of one document, in their order.
type documentPart struct {
	title string
	rows  []documentRow
}

// documentParts returns the rows by document.
func documentParts(rows []documentRow) (parts []documentPart) {
	for _, r := range rows {
		if len(parts) == 0 || parts[len(parts)-1].title != r.document {
			parts = append(parts, documentPart{title: r.document})
		}
		last := &parts[len(parts)-1]
		last.rows = append(last.rows, r)
	}
	return parts
}

// documentsPage returns the page that is made of the rows: how many statements hold,
// those that are refuted, and a table of each document.
func documentsPage(rows []documentRow) (string, error) {
	var counts, refuted, tables strings.Builder
	for _, part := range documentParts(rows) {
		of := map[string]int{}
		letters := part.letters()
		fmt.Fprintf(&tables, "\n## %s\n\n%s| statement | where | command | result |\n|---|---|---|---|\n", part.title, letters.list())
		for _, r := range part.rows {
			verdict, err := r.verdict()
			if err != nil {
				return "", fmt.Errorf("%s: %w", r.item, err)
			}
			of[verdict]++
			command := "`" + inCell(r.command()) + "`"
			if verdict == verdicts[false] {
				fmt.Fprintf(&refuted, "| %s | %s | %s |\n", r.statement(), command, r.result())
			}
			if letter := letters[r.run]; letter != "" {
				command = letter
			}
			fmt.Fprintf(&tables, "| %s | %s | %s | %s |\n", r.statement(), inCell(r.where), command, r.result())
		}
		fmt.Fprintf(&counts, "| %s | %d | %d | %d | %d |\n", part.title, len(part.rows), of[verdicts[true]], of[verdicts[false]], of["reading"])
	}
	return documentsIntro +
		"\n| text | statements | hold | refuted | no result stated |\n|---|--:|--:|--:|--:|\n" + counts.String() +
		"\n## Refuted statements\n\n| statement | command | result |\n|---|---|---|\n" + refuted.String() + tables.String(), nil
}

// commandLetters are short names of commands that several rows have.
type commandLetters map[string]string

// letters names the commands that more than one row of the part has: A, B and so on.
func (p documentPart) letters() commandLetters {
	times, letters := map[string]int{}, commandLetters{}
	for _, r := range p.rows {
		if times[r.run]++; times[r.run] == 2 {
			letters[r.run] = string(rune('A' + len(letters)))
		}
	}
	return letters
}

// list is a block of code with the commands and their letters.
func (letters commandLetters) list() string {
	lines := make([]string, len(letters))
	for run, letter := range letters {
		lines[letter[0]-'A'] = "    " + letter + "  " + (&documentRow{run: run}).command() + "\n"
	}
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "") + "\n"
}

// inCell returns a text as it stands in a table.
func inCell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// statement is what the text says, with a remark.
func (r *documentRow) statement() string {
	item := r.item
	for _, more := range []string{r.note, r.none} {
		if more != "" {
			item = strings.TrimSuffix(item, ".") + " (" + more + ")."
		}
	}
	return inCell(item)
}

// command is the command line as a shell takes it.
func (r *documentRow) command() string {
	if strings.ContainsAny(r.run, "^(|$") {
		return regexp.MustCompile(`-alg (\S+)`).ReplaceAllString(r.run, "-alg '$1'")
	}
	return r.run
}

// result is what is printed and, where that is a figure or differs, what the document
// has.
func (r *documentRow) result() string {
	printed, says := literal(r.printed), literal(r.says())
	if r.none != "" || printed == says {
		return printed
	}
	return fmt.Sprintf("%s (%s)", printed, says)
}

// literal is a figure as it is, and words as code.
func literal(text string) string {
	number := strings.TrimPrefix(text, "≤ ")
	if first, _, _ := strings.Cut(number, " "); first != "" {
		if _, err := strconv.ParseFloat(first, 64); err == nil {
			return text
		}
	}
	return "`" + inCell(strings.Join(strings.Fields(text), " ")) + "`"
}
