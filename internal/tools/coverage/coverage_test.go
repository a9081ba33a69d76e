package coverage

import (
	"flag"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/catalog/knownbroken"
)

var update = flag.Bool("update", false, "write docs/coverage.md")

const page = "../../../docs/coverage.md"

// TestPage: the page is that of the table.
func TestPage(t *testing.T) {
	all, err := Repositories()
	require.NoError(t, err)
	absent, err := Publications()
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(Page(all, absent)), 0o666))
	}
	have, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, Page(all, absent), string(have), "go -C internal/tools test ./coverage -update writes it again")
}

// TestEveryLockExists: each lock that the table names is in the catalog, or is a
// known-broken lock, and no file is named twice. The same is true of the locks that the list of
// publications names.
func TestEveryLockExists(t *testing.T) {
	names := map[string]bool{}
	for _, a := range catalog.All() {
		names[a.Name] = true
	}
	for _, l := range knownbroken.All() {
		names[l.Name] = true
	}
	absent, err := Publications()
	require.NoError(t, err)
	require.NotEmpty(t, absent)
	for _, p := range absent {
		for _, named := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(p.Source+p.Reason, -1) {
			require.True(t, names[named[1]], "%s: there is no lock %q", p.Lock, named[1])
		}
	}
	all, err := Repositories()
	require.NoError(t, err)
	require.Len(t, all, 7)
	for _, r := range all {
		seen := map[string]bool{}
		for _, f := range r.Files {
			require.True(t, f.Lock == "" || names[f.Lock], "%s: there is no lock %q", f.Path, f.Lock)
			require.False(t, seen[f.Path], "%s is named twice", f.Path)
			seen[f.Path] = true
		}
	}
}

func TestBadTablesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"a.c same queue/mcs":                  "coverage.txt:1: a file before the first repository",
		"repository a b\na.c same":            "coverage.txt:2: \"a.c same\": a file, a status",
		"repository a b\na.c like queue/mcs":  "the status \"like\"",
		"repository a b\na.c other queue/mcs": "another form has a difference",
	} {
		_, err := parse(text)
		require.ErrorContains(t, err, want)
	}
}

func TestBadPublicationsAreRefused(t *testing.T) {
	_, err := parsePublications("# a comment\na lock | a paper")
	require.ErrorContains(t, err, "publications.txt:2: \"a lock | a paper\": a lock, a publication and a reason are needed")
}
