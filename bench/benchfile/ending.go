package benchfile

import (
	"cmp"
	"strings"

	"shmbench/internal/results/gobench"
)

// ending is what the lines of a file so far say about what is missing, and whether more must
// follow. "go test" prints "pkg:" above the results of each package, and PASS or FAIL below.
type ending struct {
	missing  []string // what is missing, one entry each
	ours     bool     // this program has begun results, and not said how they ended
	pkg      string   // the package whose results go on; empty: there is none
	panicked string   // a panic, if PASS does not follow
	known    bool     // missing has something about the package of the last lines
	fail     bool     // there is a FAIL whose reason is not known
}

// line reads a line, and reports whether it is one that benchfmt must not see. The last line
// of a file that does not end with a newline is broken off.
func (e *ending) line(text string, brokenOff bool) (hidden bool) {
	what, name := text, ""
	if strings.HasPrefix(text, "Benchmark") {
		name = text[:strings.IndexAny(text+" ", " \t")]
		what = strings.TrimSpace(text[len(name):])
		if _, fails, ok := strings.Cut(what, "--- FAIL: "); ok { // behind text of the benchmark
			what = "--- FAIL: " + fails
		}
	}
	fact, _ := gobench.ParseProvenance(text)
	how, old := strings.CutPrefix(text, endedKey+": ")
	switch {
	case strings.HasPrefix(what, "--- SKIP: "):
		return true
	case strings.HasPrefix(what, "--- FAIL: "):
		e.miss(strings.Fields(what + " a test")[2] + " failed")
		return true
	case strings.HasPrefix(what, "panic: "), strings.HasPrefix(what, "fatal error: "):
		if e.panicked == "" {
			e.panicked = strings.TrimSpace(name + " " + what)
		}
		return true
	case text == "PASS", strings.HasPrefix(text, "ok  \t"):
		e.pkg, e.panicked, e.known = "", "", false
	case text == "FAIL":
		e.failed()
	case strings.HasPrefix(text, "FAIL\t"):
		if e.failed(); !e.known {
			e.miss(strings.Fields(text + " a package")[1] + " failed")
		}
		e.known = false
	case fact.Key == endedKey && (fact.Value == complete || !brokenOff):
		e.end(fact.Value)
	case old && !brokenOff:
		e.end(strings.TrimSpace(how))
	case brokenOff:
		e.cutOff("in the line " + cmp.Or(name, text))
		return true
	case fact.Key == formatKey, strings.HasPrefix(text, formatKey+": "):
		e.close()
		e.ours = true
	case strings.HasPrefix(text, "pkg: ") && !e.ours:
		e.close()
		e.pkg = strings.TrimPrefix(text, "pkg: ")
	}
	return false
}

func (e *ending) miss(what string) { e.missing, e.known = append(e.missing, what), true }

func (e *ending) cutOff(where string) {
	e.miss("cut off " + where)
	e.pkg, e.ours = "", false
}

// failed ends the results of a package with FAIL. The last line of this program says more.
func (e *ending) failed() {
	if e.fail, e.pkg = true, ""; !e.ours {
		e.close()
	}
}

// end ends the results of this program.
func (e *ending) end(how string) {
	if e.ours = false; how != complete {
		e.miss(how)
	}
}

// close ends the results of a package or of this program: no further line is about them.
func (e *ending) close() {
	switch {
	case e.pkg != "":
		e.cutOff("in package " + e.pkg + ": no PASS or FAIL follows")
	case e.ours:
		e.cutOff("before the line that says how it ended")
	}
	if e.panicked != "" {
		e.miss(e.panicked)
		e.panicked = ""
	}
}

// says returns what is missing at the end of the file; empty: nothing.
func (e *ending) says() string {
	e.close()
	if e.missing == nil && e.fail {
		return "it ends with FAIL"
	}
	return strings.Join(few(e.missing), ", ")
}
