package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/cli"
	"shmbench/internal/testkit/sample"
)

var updateDocuments = flag.Bool("update-documents", false, "write distributed/docs/documents.md, and into its data what the commands print: those of some rows, and with -all of every row")

// A documentRow is an item of a document, with the command that shows it. In
// testdata/documents.txt its fields stand one a line, rows apart by an empty one.
type documentRow struct {
	document string // title
	item     string
	where    string // in the document
	run      string // a command line of dmesim or shmbench
	prints   string // a regular expression, with one group: the figure or verdict in what is printed
	printed  string // that, exactly
	// One of these says what the document has.
	word    string // the group's text
	equals  string // "X" or "X within TOLERANCE"
	atMost  string
	between string // "X and Y"
	none    string // nothing that could be compared, and why
	note    string
}

// fields names the fields of a row in the file.
func (r *documentRow) fields() map[string]*string {
	return map[string]*string{
		"document": &r.document, "item": &r.item, "where": &r.where, "run": &r.run, "prints": &r.prints, "printed": &r.printed,
		"word": &r.word, "equals": &r.equals, "at most": &r.atMost, "between": &r.between, "none": &r.none, "note": &r.note,
	}
}

// says is what the document has, in words.
func (r *documentRow) says() string {
	switch {
	case r.word != "":
		return r.word
	case r.equals != "":
		x, tolerance, _ := strings.Cut(r.equals, " within ")
		if tolerance != "" {
			x += " ± " + tolerance
		}
		return x
	case r.atMost != "":
		return "≤ " + r.atMost
	case r.between != "":
		return strings.Replace(r.between, " and ", " to ", 1)
	}
	return "–"
}

// verdict compares what is printed with what the document has.
func (r *documentRow) verdict() (string, error) {
	if r.none != "" {
		return "reading", nil
	}
	if r.word != "" {
		return verdicts[r.printed == r.word], nil
	}
	value, err := strconv.ParseFloat(r.printed, 64)
	if err != nil {
		return "", err
	}
	least, most := math.Inf(-1), 0.0
	switch {
	case r.equals != "":
		x, tolerance, _ := strings.Cut(r.equals, " within ")
		if tolerance == "" {
			tolerance = "0"
		}
		_, err = fmt.Sscan(x+" "+tolerance, &least, &most)
		least, most = least-most, least+most
	case r.atMost != "":
		_, err = fmt.Sscan(r.atMost, &most)
	default:
		_, err = fmt.Sscan(strings.Replace(r.between, "and", "", 1), &least, &most)
	}
	return verdicts[least <= value && value <= most], err
}

var verdicts = map[bool]string{true: "holds", false: "refuted"}

// shows runs r's command and returns what its figure or verdict is.
func (r *documentRow) shows(run func(line string) string) (string, error) {
	re, err := regexp.Compile(r.prints)
	if err != nil {
		return "", err
	}
	out := run(r.run)
	m := re.FindStringSubmatch(out)
	if m == nil {
		return "", fmt.Errorf("%s prints nothing like %s:\n%s", r.run, r.prints, out)
	}
	return m[1], nil
}

// TestDocuments: distributed/docs/documents.md is made of testdata/documents.txt, and what a
// row says is what its command prints today.
func TestDocuments(t *testing.T) {
	sample.NeedsAll(t)
	const data, page = "testdata/documents.txt", "../../docs/documents.md"
	text, err := os.ReadFile(data)
	require.NoError(t, err)
	rows, err := parseDocuments(string(text))
	require.NoError(t, err)
	outputs := map[string]string{}
	shmbench := sync.OnceValue(func() command { return built(t, "./cmd/shmbench") })
	run := func(line string) string {
		if out, known := outputs[line]; known {
			return out
		}
		words := commandWords(line)
		program := command(dmesim)
		if words[0] == "shmbench" {
			program = shmbench()
		}
		out, diag, code := program(t.Context(), words[1:]...)
		require.Contains(t, []int{cli.Holds, cli.Violated}, code, "%s: %s", line, diag)
		outputs[line] = out
		return out
	}
	updated := string(text)
	var known, tried []*documentRow
	for k := range rows {
		if rows[k].printed == "" {
			tried = append(tried, &rows[k])
		} else {
			known = append(known, &rows[k])
		}
	}
	for _, r := range append(tried, known...) {
		if strings.HasPrefix(r.run, "shmbench stress ") && runtime.NumCPU() == 1 {
			continue // it takes two that run at once
		}
		printed, err := r.shows(run)
		require.NoError(t, err, r.item)
		if *updateDocuments {
			r.printed = printed
			continue
		}
		require.Equal(t, r.printed, printed, "%s: %s", r.item, r.run)
	}
	made, err := documentsPage(rows)
	require.NoError(t, err)
	if *updateDocuments {
		require.NoError(t, os.WriteFile(data, []byte(withPrinted(updated, rows)), 0o644))
		require.NoError(t, os.WriteFile(page, []byte(made), 0o644))
	}
	is, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, made, string(is), "the page is made of the data: go -C distributed test ./cmd/dmesim -run TestDocuments -update-documents")
}

// A command runs a program and returns what it printed and its status.
type command func(ctx context.Context, args ...string) (stdout, stderr string, status int)

// root is the folder of the checkout.
const root = "../../.."

// built builds a program of the main module and returns what runs it at the root of the checkout.
func built(t *testing.T, pkg string) command {
	program := filepath.Join(t.TempDir(), filepath.Base(pkg))
	said, err := exec.Command("go", "-C", root, "build", "-o", program, pkg).CombinedOutput()
	require.NoError(t, err, "%s", said)
	return func(ctx context.Context, args ...string) (stdout, stderr string, status int) {
		cmd := exec.CommandContext(ctx, program, args...)
		var out, diag bytes.Buffer
		cmd.Dir, cmd.Stdout, cmd.Stderr = root, &out, &diag
		err := cmd.Run()
		require.NotNil(t, cmd.ProcessState, err)
		return out.String(), diag.String(), cmd.ProcessState.ExitCode()
	}
}

// A row that its command does not show, or that shows another figure, is found
// out; so is one without a command.
func TestDocumentsAreCompared(t *testing.T) {
	run := func(string) string { return "central 3.00 holds\n" }
	r := documentRow{run: "x", prints: `central ([\d.]+) `, printed: "3.00", equals: "3"}
	printed, err := r.shows(run)
	require.NoError(t, err)
	require.Equal(t, "3.00", printed)
	for _, c := range []struct {
		change func(r *documentRow)
		want   string
	}{
		{func(r *documentRow) {}, "holds"},
		{func(r *documentRow) { r.equals = "2" }, "refuted"},
		{func(r *documentRow) { r.equals = "2.9 within 0.2" }, "holds"},
		{func(r *documentRow) { r.equals, r.atMost = "", "2.99" }, "refuted"},
		{func(r *documentRow) { r.equals, r.between = "", "3 and 4" }, "holds"},
		{func(r *documentRow) { r.equals, r.word = "", "4.00" }, "refuted"},
		{func(r *documentRow) { r.equals, r.none = "", "open" }, "reading"},
	} {
		changed := r
		c.change(&changed)
		verdict, err := changed.verdict()
		require.NoError(t, err)
		require.Equal(t, c.want, verdict)
	}
	r.prints = `raymond ([\d.]+)`
	_, err = r.shows(run)
	require.ErrorContains(t, err, "prints nothing like")
	for says, text := range map[string]string{
		"no run":                        "document: d\n\nitem: i\nwhere: w\nprints: (x)\nword: x\n",
		"no document":                   "item: i\nwhere: w\nrun: x\nprints: (x)\nword: x\n",
		"nothing that the document has": "document: d\n\nitem: i\nwhere: w\nrun: x\nprints: (x)\n",
		`"figure" is no field`:          "document: d\n\nfigure: 3\n",
	} {
		_, err := parseDocuments(text)
		require.ErrorContains(t, err, says)
	}
}

// parseDocuments reads rows, each with the title of the document before it.
func parseDocuments(text string) (rows []documentRow, err error) {
	document := ""
	for _, block := range strings.Split(text, "\n\n") {
		var r documentRow
		for _, line := range strings.Split(block, "\n") {
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			name, value, _ := strings.Cut(line, ": ")
			field := r.fields()[name]
			if field == nil {
				return nil, fmt.Errorf("%q is no field: %s", name, line)
			}
			*field = value
		}
		switch {
		case r == documentRow{}:
			continue
		case r.document != "":
			document = r.document
			continue
		}
		r.document = document
		switch {
		case r.document == "":
			return nil, fmt.Errorf("%s: no document", r.item)
		case r.item == "" || r.where == "" || r.run == "" || r.prints == "":
			return nil, fmt.Errorf("%s: no run, or no item, where or prints", r.item)
		case r.word+r.equals+r.atMost+r.between+r.none == "":
			return nil, fmt.Errorf("%s: nothing that the document has", r.item)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// withPrinted returns the data with what the rows print.
func withPrinted(text string, rows []documentRow) string {
	blocks, k := strings.Split(strings.TrimRight(text, "\n"), "\n\n"), 0
	old := regexp.MustCompile(`(?m)^printed: .*\n`)
	after := regexp.MustCompile(`(?m)^prints: .*$`)
	for i, b := range blocks {
		if !strings.Contains(b, "run: ") {
			continue
		}
		blocks[i] = after.ReplaceAllStringFunc(old.ReplaceAllString(b, ""), func(s string) string { return s + "\nprinted: " + rows[k].printed })
		k++
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// commandWords splits a command line; a word with spaces stands in quotes.
func commandWords(line string) []string {
	var words []string
	for k, part := range strings.Split(line, `"`) {
		if k%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}
