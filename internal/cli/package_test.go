package cli

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A path is a package, and everything else the name of a lock or a regular expression.
func TestPackages(t *testing.T) {
	root, err := filepath.Abs("mylock")
	require.NoError(t, err)
	for arg, want := range map[string]Package{
		".":                 {".", "New"},
		"..":                {"..", "New"},
		"./mylock":          {"./mylock", "New"},
		"../a b/mylock":     {"../a b/mylock", "New"},
		"./mylock:NewFast":  {"./mylock", "NewFast"},
		".:Spec":            {".", "Spec"},
		"./my:lock/x":       {"./my:lock/x", "New"},
		root:                {root, "New"},
		root + ":newSlowly": {root, "newSlowly"},
	} {
		require.True(t, IsPackage(arg), arg)
		p, err := ParsePackage(arg)
		require.NoError(t, err)
		require.Equal(t, want, p)
		require.Equal(t, arg, p.String())
	}
	for _, name := range []string{"queue/mcs", "queue", "^queue/", ".*", "...", ".a", "queue:mcs", ""} {
		require.False(t, IsPackage(name), name)
	}
	for arg, says := range map[string]string{
		"./mylock:":        "./mylock:: behind the colon there must be the name of a function, as in ./mylock:NewFast",
		"./mylock:3":       "the name of a function",
		"./a/b.go:NewFast": "./a/b.go:NewFast names a file: give the folder of its package, ./a:NewFast",
		"./b.go":           "give the folder of its package, .",
		os.Args[0]:         "names a file: give the folder of its package, ",
		"../b.go":          "give the folder of its package, ..",
	} {
		_, err := ParsePackage(arg)
		require.ErrorContains(t, err, says)
	}
	p := Package{"./mylock", "NewFast"}
	require.NoError(t, p.Of(nil))
	require.EqualError(t, p.Of(errors.New("it is empty")), "./mylock:NewFast: it is empty")
	require.EqualError(t, p.Of(errors.New("./mylock/a.go:3: wrong")), "./mylock/a.go:3: wrong")
}
