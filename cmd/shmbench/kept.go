package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// mostKept is how many results of run without -o are kept.
const mostKept = 50

// lastWord names the latest kept results among the files of a command.
const lastWord = "last"

// keptFolder returns the folder in which run keeps results without -o.
func keptFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "shmbench", "results"), nil
}

// newKept returns the name of a new file of kept results, which has the date in it. It
// makes the folder, and removes the oldest results beyond mostKept.
func newKept(now time.Time) (string, error) {
	folder, err := keptFolder()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	names, err := kept()
	if err != nil {
		return "", err
	}
	for len(names) >= mostKept {
		if err := os.Remove(names[0]); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
		names = names[1:]
	}
	return filepath.Join(folder, now.Format("run-20060102-150405.000000.txt")), nil
}

// kept returns the names of the files of kept results, the oldest first.
func kept() ([]string, error) {
	folder, err := keptFolder()
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(folder, "run-*.txt"))
	slices.Sort(names)
	return names, err
}

// withLast puts the latest kept results in the place of the word last.
func withLast(paths []string) ([]string, error) {
	at := slices.Index(paths, lastWord)
	if at < 0 {
		return paths, nil
	}
	names, err := kept()
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("last: no results are kept: shmbench run without -o keeps them; ./last names a file")
	}
	paths = slices.Clone(paths)
	paths[at] = names[len(names)-1]
	return paths, nil
}

// resultFile is the value of a flag: the name of a file, or the word last, which stands for
// the latest kept results.
type resultFile string

func (f *resultFile) String() string { return string(*f) }

// Set is withLast for one name.
func (f *resultFile) Set(name string) error {
	paths, err := withLast([]string{name})
	if err == nil {
		*f = resultFile(paths[0])
	}
	return err
}

// toCompare is withLast for compare: last alone is compared with the results before it.
func toCompare(paths []string) ([]string, error) {
	if len(paths) != 1 || paths[0] != lastWord {
		return withLast(paths)
	}
	switch names, err := kept(); {
	case err != nil:
		return nil, err
	case len(names) < 2:
		return nil, fmt.Errorf("last: a comparison needs two kept results, and there are %d: shmbench run without -o keeps its results", len(names))
	default:
		return names[len(names)-2:], nil
	}
}
