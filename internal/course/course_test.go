package course

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/shm"
)

var all = flag.Bool("all", false, "make every change, and not one in eight")

var update = flag.Bool("update", false, "write docs/course.md, and what is found of each change")

const root = "../.."

// TestCourse: docs/course.md is made of course.txt, and what is said of every change
// is what the checker finds of it today.
func TestCourse(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a package for each change")
	}
	t.Parallel()
	parts, err := parse(text)
	require.NoError(t, err)
	dir := t.TempDir()
	changed := changedLocks(t, dir, parts)
	for i, r := range checked(t, dir, changed) {
		c := &changed[i]
		found, trace := lost(r)
		if *update {
			c.change.Found, c.change.Trace = found, trace
			continue
		}
		require.Empty(t, r.Replay.Omitted, c.what)
		require.Equal(t, c.change.Found, found, c.what)
		require.Equal(t, c.change.Trace, trace, c.what)
	}
	if *update {
		require.NoError(t, os.WriteFile("course.txt", []byte(withFound(text, parts)), 0o666))
	}
	made := page(parts, func(l Lock, c Change) string {
		f, err := parseFile(filepath.Join(root, l.File()))
		require.NoError(t, err)
		_, old, err := f.change(c)
		require.NoError(t, err)
		return old
	}, func(file string) bool {
		_, err := os.Stat(filepath.Join(root, file))
		return err == nil
	})
	const name = root + "/docs/course.md"
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(made), 0o666))
	}
	is, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, made, string(is), "the page is made of the data: go test ./internal/course -update")
}

// changedLock is a lock with a change, in a package of its own.
type changedLock struct {
	card   shm.Algorithm
	change *Change
	what   string
}

// changedLocks writes a module with a package for each change that is made, and one
// that lists the locks.
func changedLocks(t *testing.T, dir string, parts []Part) (made []changedLock) {
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	write("go.mod", "module course\n\ngo 1.26\n")
	write("go.work", fmt.Sprintf("go 1.26.0\n\nuse (\n\t.\n\t%q\n)\n", abs))
	var imports, list bytes.Buffer
	changes := 0
	for p := range parts {
		for k := range parts[p].Locks {
			l := &parts[p].Locks[k]
			family, _, _ := strings.Cut(l.Name, "/")
			original := filepath.Join(root, l.File())
			for i := range l.Changes {
				if changes++; changes%8 != 1 && !*all && !*update {
					continue
				}
				c := &l.Changes[i]
				what := fmt.Sprintf("%s, line %s, number %d", l.Name, c.Label, i+1)
				f, err := parseFile(original)
				require.NoError(t, err)
				text, _, err := f.change(*c)
				require.NoError(t, err, what)
				files, err := needed(filepath.Join(root, family), original)
				require.NoError(t, err)
				v := fmt.Sprintf("v%d", len(made))
				for _, name := range files {
					other, err := os.ReadFile(name)
					require.NoError(t, err)
					write(filepath.Join(v, filepath.Base(name)), string(other))
				}
				// What was deleted may have been the only use of an import.
				write(filepath.Join(v, filepath.Base(original)), text+"\nfunc _() { spin.Pause() }\n")
				card, err := catalog.Get(l.Name)
				require.NoError(t, err)
				card.Name, card.Invariants = "course/"+v, nil
				fmt.Fprintf(&imports, "\t%s \"course/%s\"\n", v, v)
				fmt.Fprintf(&list, "\t\tnamed(%s.%s, %q),\n", v, l.Card, card.Name)
				made = append(made, changedLock{card, c, what})
			}
		}
	}
	write("all/all.go", fmt.Sprintf(`package all

import (
	"shmbench/shm"

%s)

func named(a shm.Algorithm, name string) shm.Algorithm {
	a.Name = name
	return a
}

func All() []shm.Algorithm {
	return []shm.Algorithm{
%s	}
}
`, imports.String(), list.String()))
	return made
}

// checked has a report of each changed lock.
func checked(t *testing.T, dir string, changed []changedLock) []*check.Report {
	src, err := check.Open(t.Context(), dir, "./all")
	require.NoError(t, err)
	cards := map[int][]shm.Algorithm{} // by number of processes
	for _, c := range changed {
		cards[c.change.N] = append(cards[c.change.N], c.card)
	}
	of := map[string]*check.Report{}
	for n, all := range cards {
		reports, err := src.Algorithms(t.Context(), "All", all, check.Options{N: []int{n}, Replays: 200})
		require.NoError(t, err)
		for _, r := range reports {
			if r.Modes != nil {
				continue // the course is about Lock and Unlock
			}
			of[r.Algorithm] = r
		}
	}
	var reports []*check.Report
	for _, c := range changed {
		require.NotNil(t, of[c.card.Name], c.what)
		reports = append(reports, of[c.card.Name])
	}
	return reports
}

var (
	sourceColumn = regexp.MustCompile(`(?m) +(source|\S*:\d+)$`)
	panics       = regexp.MustCompile(`\S+/(shm/\S+\.go):\d+: (.*)\bv\d+\.`)
	gravest      = []string{check.MutualExclusion, check.PanicFreedom, check.DeadlockFreedom, check.ExitProgress, check.StarvationFreedom,
		check.FirstComeFirstServed, check.BoundedBypass}
)

// lost is what a changed lock lacks of what it must have and its card claims, the
// gravest, and the execution that shows it.
func lost(r *check.Report) (property, trace string) {
	for _, p := range gravest {
		if t := r.Counterexample(p); t != nil && !t.Unclaimed {
			// Neither where the copy is nor lines that move with every edit.
			text := panics.ReplaceAllString(t.String(), "$1: $2")
			return p, strings.TrimRight(sourceColumn.ReplaceAllString(text, ""), "\n")
		}
	}
	return "nothing", ""
}

// withFound returns the data with what was found.
func withFound(text string, parts []Part) string {
	var changes []Change
	for _, p := range parts {
		for _, l := range p.Locks {
			changes = append(changes, l.Changes...)
		}
	}
	blocks := strings.Split(strings.TrimRight(text, "\n"), "\n\n")
	old := regexp.MustCompile(`(?m)^found: .*\n?`)
	for i, b := range blocks {
		if !strings.HasPrefix(b, "line: ") {
			continue
		}
		b, _, _ = strings.Cut(b, "\ntrace:\n")
		b = strings.TrimRight(old.ReplaceAllString(b, ""), "\n") + "\nfound: " + changes[0].Found
		if changes[0].Trace != "" {
			b += "\ntrace:\n" + changes[0].Trace
		}
		blocks[i], changes = b, changes[1:]
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// TestEveryLineIsThere: of a lock of which lines are changed, none that has a label is
// left out, the lines are in order, and each change says why the line is there.
func TestEveryLineIsThere(t *testing.T) {
	parts, err := parse(text)
	require.NoError(t, err)
	changed := 0
	var names []string
	for _, p := range parts {
		for _, l := range p.Locks {
			_, err := catalog.Get(l.Name)
			require.NoError(t, err)
			require.NotEmpty(t, l.Adds, l.Name)
			require.False(t, slices.Contains(names, l.Name), l.Name)
			names = append(names, l.Name)
			if l.Card == "" {
				require.Empty(t, l.Changes, l.Name)
				continue
			}
			changed++
			f, err := parseFile(filepath.Join(root, l.File()))
			require.NoError(t, err)
			for label := range f.labels() {
				require.True(t, slices.ContainsFunc(l.Changes, func(c Change) bool { return c.Label == label }), "%s, line %s", l.Name, label)
			}
			for _, c := range l.Changes {
				require.NotEmpty(t, c.Why, "%s, line %s", l.Name, c.Label)
			}
		}
	}
	require.Equal(t, 10, changed)
}

// TestChangesAreFound: a change that the source has no place for is an error that
// says so.
func TestChangesAreFound(t *testing.T) {
	f, err := parseFile(root + "/peterson/peterson.go")
	require.NoError(t, err)
	changed, old, err := f.change(Change{Label: "2", Which: 1})
	require.NoError(t, err)
	require.Equal(t, "l.turn.Store(me)", old)
	require.Equal(t, len(f.text)-len(old), len(changed))
	_, old, err = f.change(Change{Label: "3", Which: 1, Old: "|| l.turn.Load() == other"})
	require.NoError(t, err, "on the line after it")
	require.Equal(t, "|| l.turn.Load() == other", old)
	for says, c := range map[string]Change{
		"has 0 lines 9, and no number 1": {Label: "9", Which: 1},
		"has 1 lines 2, and no number 2": {Label: "2", Which: 2},
		`there is no "l.q[i].Store"`:     {Label: "2", Which: 1, Old: "l.q[i].Store"},
	} {
		_, _, err := f.change(c)
		require.ErrorContains(t, err, says)
	}
	for says, data := range map[string]string{
		"no field: peterson":  "part: a\n\npeterson\n",
		"and not with a part": "lock: peterson/peterson\n",
		`"line" is no block`:  "part: a\n\nline: 1\n",
		"line 1: ":            "part: a\n\nlock: l\n\nline: 1\nn: two\n",
	} {
		_, err := parse(data)
		require.ErrorContains(t, err, says)
	}
}
