package guest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/build/sources"
)

const lock = "package mylock\n\nfunc New(int) {}\n"

// inModule makes the files of a user's module and goes to its folder.
func inModule(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	t.Chdir(dir)
}

// TestFind: the go command sees the user's package and this module at the place,
// whatever the user's module is, and whatever is set for it. Nothing of it is changed.
func TestFind(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	const plain = "module example.com/m\n\ngo 1.24\n"
	requires := "module example.com/m\n\ngo 1.26.0\n\nrequire shmbench v0.0.0\n\nreplace shmbench => " + root + "\n"
	for name, c := range map[string]struct {
		files, env map[string]string
		from       string // where this module is found, "" for the copy in the cache
	}{
		"a module that knows nothing of this one": {files: map[string]string{"go.mod": plain}},
		"flags that a workspace cannot have":      {files: map[string]string{"go.mod": plain, "other.mod": plain}, env: map[string]string{"GOFLAGS": "-mod=mod -modfile=other.mod -trimpath"}},
		"a vendor folder":                         {files: map[string]string{"go.mod": plain, "vendor/modules.txt": ""}, env: map[string]string{"GOFLAGS": "-mod=vendor"}},
		"a workspace that is turned off":          {files: map[string]string{"go.mod": plain, "go.work": "go 1.24\n"}, env: map[string]string{"GOWORK": "off"}},
		"a module without a version of Go":        {files: map[string]string{"go.mod": "module example.com/m\n"}},
		"a module that requires this one":         {files: map[string]string{"go.mod": requires}, from: root},
		"a workspace with other modules": {files: map[string]string{
			"go.work":              "go 1.25\n\nuse (\n\t.\n\t./other\n)\n\nreplace example.com/third => ./third\n",
			"go.mod":               plain + "\nrequire example.com/third v1.0.0\n",
			"other/go.mod":         "module example.com/other\n\ngo 1.25\n",
			"third/go.mod":         "module example.com/third\n",
			"third/third.go":       "package third\n",
			"other/other.go":       "package other\n",
			"mylock/imports.go":    "package mylock\n\nimport (\n\t_ \"example.com/other\"\n\t_ \"example.com/third\"\n)\n",
			"mylock/mylock_test.x": "",
		}},
		"a workspace that has this module": {files: map[string]string{
			"go.work": "go 1.26.0\n\nuse (\n\t.\n\t" + root + "\n)\n",
			"go.mod":  plain,
		}, from: root},
		"a workspace that replaces this module": {files: map[string]string{
			"go.work": "go 1.26.0\n\nuse .\n\nreplace shmbench => " + root + "\n",
			"go.mod":  "module example.com/m\n\ngo 1.26.0\n\nrequire shmbench v0.0.0\n",
		}, from: root},
	} {
		t.Run(name, func(t *testing.T) {
			c.files["mylock/lock.go"] = lock
			inModule(t, c.files)
			for key, value := range c.env {
				t.Setenv(key, value)
			}
			p, err := Find(t.Context(), "./mylock", t.TempDir())
			require.NoError(t, err)
			require.Equal(t, []string{"example.com/m/mylock", "mylock"}, []string{p.Path, p.Name})
			out, _, err := p.Place.Run(t.Context(), "list", "-deps", "-f", "{{.ImportPath}} {{.Dir}}", p.Path, sources.Module+"/stress")
			require.NoError(t, err)
			require.Contains(t, out, p.Path+" "+p.Dir)
			from := c.from
			if from == "" {
				from, err = sources.Dir(t.Context())
				require.NoError(t, err)
			}
			require.Contains(t, out, sources.Module+"/shm "+filepath.Join(from, "shm"))
			unchanged(t, c.files)
		})
	}
}

// unchanged checks that the current folder has the files, and no other.
func unchanged(t *testing.T, files map[string]string) {
	t.Helper()
	found := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		require.Equal(t, files[filepath.ToSlash(path)], string(text), path)
		found++
		return err
	}))
	require.Equal(t, len(files), found)
}

// TestFindElsewhere: a package is found by its folder from another module, and from none.
func TestFindElsewhere(t *testing.T) {
	inModule(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "mylock/lock.go": lock})
	there, err := filepath.Abs("mylock")
	require.NoError(t, err)
	inModule(t, map[string]string{"go.mod": "module example.com/here\n\ngo 1.24\n"})
	here, err := filepath.Abs(".")
	require.NoError(t, err)
	relative, err := filepath.Rel(here, there)
	require.NoError(t, err)
	for _, path := range []string{there, relative} {
		p, err := Find(t.Context(), path, t.TempDir())
		require.NoError(t, err)
		require.Equal(t, "example.com/m/mylock", p.Path)
		_, _, err = p.Place.Run(t.Context(), "build", p.Path)
		require.NoError(t, err)
	}
	t.Chdir(t.TempDir())
	p, err := Find(t.Context(), there, t.TempDir())
	require.NoError(t, err)
	require.Equal(t, "example.com/m/mylock", p.Path)
}

// TestFindOurs: a package of this module is found where the sources are, everywhere.
func TestFindOurs(t *testing.T) {
	t.Chdir(t.TempDir())
	p, err := Find(t.Context(), sources.Module+"/tas", t.TempDir())
	require.NoError(t, err)
	require.Equal(t, "tas", p.Name)
	require.True(t, sources.Unpacked(p.Dir))
	require.Empty(t, p.Place.Env)
}

// TestFindSaysWhatIsWrong in one line.
func TestFindSaysWhatIsWrong(t *testing.T) {
	t.Run("in a module", func(t *testing.T) {
		inModule(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "two/a/a.go": "package a\n", "two/b/b.go": "package b\n", "c/c.go": "nonsense\n", "d/d.go": "package main\n"})
		for path, says := range map[string]string{
			"./two/...": "it must be one package",
			"./d":       "example.com/m/d is a program, which nothing can import: put the lock into a package of its own",
			"./nope":    "there is no folder ",
			"sync":      "sync is not in your own module: go to a checkout of the module that has it",
			"./c":       "c.go:1:1: expected 'package', found nonsense",
		} {
			_, err := Find(t.Context(), path, t.TempDir())
			require.ErrorContains(t, err, says)
			require.NotContains(t, err.Error(), "\n")
		}
	})
	t.Run("in none", func(t *testing.T) {
		inModule(t, map[string]string{"mylock/lock.go": lock})
		_, err := Find(t.Context(), "./mylock", t.TempDir())
		require.ErrorContains(t, err, "no go.mod here or in a folder above")
	})
}

func TestApplicable(t *testing.T) {
	for flags, want := range map[string]string{
		"":                                    "-mod=readonly",
		"-mod=mod":                            "-mod=readonly",
		"-trimpath --mod=vendor -buildvcs=no": "-trimpath -buildvcs=no -mod=readonly",
		"-modfile=x.mod -modcacherw":          "-modcacherw -mod=readonly",
		"'-ldflags=-X a.b=c' -tags=x":         "'-ldflags=-X a.b=c' -tags=x -mod=readonly",
	} {
		require.Equal(t, want, applicable(flags))
	}
	require.NotContains(t, strings.Fields(applicable("-mod=mod")), "-mod=mod")
}
