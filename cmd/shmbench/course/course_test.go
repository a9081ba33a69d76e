package course

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/build/edit"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

var update = flag.Bool("update", false, "write docs/teaching.md, and what is found of each change")

// pageName is the page, and root the source tree.
const (
	pageName = root + "/docs/teaching.md"
	root     = "../../.."
)

// TestCourse: docs/teaching.md is made of course.txt, and what it says of every change
// is what the checker finds of it today.
func TestCourse(t *testing.T) {
	if !*update {
		sample.NeedsAll(t)
	}
	t.Parallel()
	parts, err := parse("course.txt", text)
	require.NoError(t, err)
	was, err := os.ReadFile(pageName)
	require.NoError(t, err)
	record(t, string(was), parts)
	changed := changedLocks(t, parts)
	for i, r := range checked(t, changed) {
		c := changed[i]
		found, trace := lost(r)
		if *update {
			c.change.Found, c.change.Trace = found, trace
			continue
		}
		require.Empty(t, r.Replay.Omitted, c.what)
		require.Equal(t, c.change.Found, found, c.what)
		require.Equal(t, c.change.Trace, trace, c.what)
	}
	tree := tree(t)
	exercises, err := Exercises()
	require.NoError(t, err)
	made := page(parts, exercisesSection(exercises), func(l Lock, c Change) string {
		file, err := tree.File(l.Name)
		require.NoError(t, err)
		_, old, err := tree.Apply(file, []edit.Edit{c.Edit})
		require.NoError(t, err)
		return old[0]
	}, func(file string) bool {
		_, err := os.Stat(filepath.Join(root, file))
		return err == nil
	})
	if *update {
		require.NoError(t, os.WriteFile(pageName, []byte(made), 0o666))
		return
	}
	require.True(t, made == string(was), "the page is made of the data: go test ./cmd/shmbench/course -update")
}

func tree(t *testing.T) *edit.Tree {
	t.Helper()
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	return edit.At(abs)
}

var recorded = regexp.MustCompile("(?s)\\*\\*Line [^\n]*? \\*Lost: ([^*\n]*)\\.\\*[^\n]*\n(?:\n```\n(.*?)\n```)?")

// record sets what the page says was found of each change, and the traces. A page that has
// not as many changes is one to be updated.
func record(t *testing.T, page string, parts []Part) {
	says := recorded.FindAllStringSubmatch(page, -1)
	for p := range parts {
		for k := range parts[p].Locks {
			changes := parts[p].Locks[k].Changes
			for i := range changes {
				if len(says) > 0 {
					changes[i].Found, changes[i].Trace = says[0][1], says[0][2]
					says = says[1:]
				}
			}
		}
	}
	require.True(t, *update || len(says) == 0, "the page has more changes than the data: go test ./cmd/shmbench/course -update")
}

// changedLock is a lock with a change, in a package of its own.
type changedLock struct {
	spec   shm.Algorithm
	change *Change
	lock   edit.Lock
	what   string
}

// changedLocks are the changes that are made: one in 24, or all.
func changedLocks(t *testing.T, parts []Part) []changedLock {
	var changes []changedLock
	for p := range parts {
		for k := range parts[p].Locks {
			l := &parts[p].Locks[k]
			for i := range l.Changes {
				spec, err := catalog.Get(l.Name)
				require.NoError(t, err)
				c := &l.Changes[i]
				changes = append(changes, changedLock{spec: spec, change: c, what: fmt.Sprintf("%s, %s, number %d", l.Name, c.Edit, i+1)})
			}
		}
	}
	oneIn := 24
	if *update {
		oneIn = 1
	}
	made := sample.Of(t, changes, func(c changedLock) string { return c.what }, oneIn)
	for i := range made {
		c := &made[i]
		c.lock = edit.Lock{Name: c.spec.Name, As: fmt.Sprintf("course/v%d", i), Edits: []edit.Edit{c.change.Edit}}
		c.spec.Name, c.spec.Invariants = c.lock.As, nil
	}
	return made
}

// checked has a report of each changed lock.
func checked(t *testing.T, changed []changedLock) []*check.Report {
	var locks []edit.Lock
	specs := map[int][]shm.Algorithm{} // by number of processes
	for _, c := range changed {
		locks = append(locks, c.lock)
		specs[c.change.N] = append(specs[c.change.N], c.spec)
	}
	program, err := tree(t).Program("cmd/shmbench/course/edited", locks, "")
	require.NoError(t, err)
	src, err := check.OpenEdited(t.Context(), program)
	require.NoError(t, err)
	of := map[string]*check.Report{}
	for n, all := range specs {
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
		require.NotNil(t, of[c.spec.Name], c.what)
		reports = append(reports, of[c.spec.Name])
	}
	return reports
}

var (
	sourceColumn = regexp.MustCompile(`(?m) +(source|\S*:\d+)$`)
	panics       = regexp.MustCompile(`(?:\S+/)?(shm/\S+\.go):\d+: (.*)\bv\d+\.`)
	gravest      = []string{check.MutualExclusion, check.PanicFreedom, check.DeadlockFreedom, check.ExitProgress, check.StarvationFreedom,
		check.FirstComeFirstServed, check.BoundedBypass}
)

// lost is what a changed lock lacks of what it must have and its specification claims, the
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

// TestEveryLineIsThere: when lines of a lock are changed, none that has a label is
// left out, and each change says why the line is there. The page is about Lock and Unlock.
func TestEveryLineIsThere(t *testing.T) {
	parts, err := parse("course.txt", text)
	require.NoError(t, err)
	tree := tree(t)
	changed := 0
	var names []string
	for _, p := range parts {
		for _, l := range p.Locks {
			_, err := catalog.Get(l.Name)
			require.NoError(t, err)
			require.NotEmpty(t, l.Adds, l.Name)
			require.False(t, slices.Contains(names, l.Name), l.Name)
			names = append(names, l.Name)
			if l.Changes == nil {
				continue
			}
			changed++
			file, err := tree.File(l.Name)
			require.NoError(t, err)
			labels, err := tree.Labels(file)
			require.NoError(t, err)
			for _, at := range labels {
				other := strings.HasSuffix(at.In, ".TryLock") || strings.HasSuffix(at.In, ".LockUntil")
				require.True(t, other || slices.ContainsFunc(l.Changes, func(c Change) bool { return c.Edit.Label() == at.Label }), "%s, line %s", l.Name, at.Label)
			}
			for _, c := range l.Changes {
				require.NotEmpty(t, c.Why, "%s, %s", l.Name, c.Edit)
				_, _, err := tree.Apply(file, []edit.Edit{c.Edit})
				assert.NoError(t, err)
			}
		}
	}
	require.Equal(t, 10, changed)
}

// TestCourseErrors: an error names the file, the line and what was expected.
func TestCourseErrors(t *testing.T) {
	for says, data := range map[string]string{
		`a.txt:3: "peterson": expected a field`:              "part: a\n\npeterson\n",
		`a.txt:1: expected a block that begins with "part:"`: "lock: peterson/peterson\n",
		`a.txt:3: expected a block that begins with "lock:"`: "part: a\n\nedit: delete 1\n",
		`a.txt:6: "two": expected a number of processes`:     "part: a\n\nlock: l\n\nedit: delete 1\nn: two\n",
		`a.txt:5: "drop 1" is no edit`:                       "part: a\n\nlock: l\n\nedit: drop 1\n",
	} {
		_, err := parse("a.txt", data)
		require.ErrorContains(t, err, says)
	}
}

// TestIntroduction: the edits that the introduction names apply to Peterson's lock, and
// its example is the README's, whose command a test runs.
func TestIntroduction(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	command := "    shmbench check peterson/peterson -procs 2 -edit 'delete 2'\n"
	_, block, found := strings.Cut(introduction, command+"\n")
	require.True(t, found)
	block, _, _ = strings.Cut(block, "\n\n")
	require.Contains(t, block, "[enters]")
	require.Contains(t, string(readme), block)
	require.Contains(t, string(readme), command)
	edits := 0
	for _, m := range regexp.MustCompile("`((?:move|replace|insert|delete) [^`]+)`").FindAllStringSubmatch(introduction, -1) {
		e, err := edit.Parse(m[1])
		require.NoError(t, err)
		_, _, err = tree(t).Apply("peterson/peterson.go", []edit.Edit{e})
		require.NoError(t, err)
		edits++
	}
	require.Equal(t, 4, edits)
}
