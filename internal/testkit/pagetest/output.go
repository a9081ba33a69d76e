package pagetest

import (
	"regexp"
	"strings"
	"testing"
)

// shows reports whether an output of a page is part of what a command printed: line by
// line or, if that is a measurement, with other figures, other widths and more lines.
func (o ShownOutput) shows(printed string, measured bool) bool {
	form := func(line string) string { return strings.TrimRight(line, " \n") }
	if measured {
		form = withoutFigures
	}
	var got []string
	for line := range strings.Lines(printed) {
		got = append(got, form(line))
	}
	var want []string
	for _, line := range o.lines {
		want = append(want, form(line))
	}
	return follows(want, got, true, measured)
}

// follows reports whether got has the lines of want in their order, with others before
// them if gap. Others may be in between where want has three dots, or anywhere.
func follows(want, got []string, gap, anywhere bool) bool {
	switch {
	case len(want) == 0:
		return true
	case want[0] == "..." || want[0] == "…":
		return follows(want[1:], got, true, anywhere)
	}
	for i, line := range got {
		if line == want[0] && follows(want[1:], got[i+1:], false, anywhere) {
			return true
		}
		if !gap && !anywhere {
			break
		}
	}
	return false
}

var (
	anyFigure = regexp.MustCompile(`[-+]?\d[\d.,]*(?:e[-+]?\d+)?(?:n|ns|µs|ms|s|m|K|M)?\b%?`)
	anyWidth  = regexp.MustCompile(`[ ─│~¹²³]+`)
)

// withoutFigures is a line of a measurement without its figures and its widths.
func withoutFigures(line string) string {
	return strings.TrimSpace(anyWidth.ReplaceAllString(anyFigure.ReplaceAllString(line, "0"), " "))
}

// measures are the verbs, and other programs, that print another figure each time.
var measures = regexp.MustCompile(`^(?:shmbench (?:run|stress|all)\b|dmesim study|go |cd |\./)`)

// test requires that one of the commands that were run has printed the output, unless
// exempt says why none does, or the command above it was not run.
func (o ShownOutput) test(t *testing.T, printed map[string]string, exempt *HowToRun, ran bool) {
	if exempt != nil {
		return
	}
	for line, out := range printed {
		if o.shows(out, measures.MatchString(line)) {
			return
		}
	}
	if ran {
		t.Errorf("%s:%d: no command of the page prints this; if it is no output, the file of the test can say so:\n%s", o.page, o.line, strings.Join(o.lines, "\n"))
	}
}
