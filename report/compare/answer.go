package compare

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/report/rank"
)

// answer says in words how each further file compares with the first: a line for each, or
// more if the units are not better and worse in the same words.
func (r *Report) answer(files []*benchfile.File) (lines []string) {
	names, kind := shortNames(r.Files), "lock"
	for _, f := range files {
		if slices.ContainsFunc(f.Results, isOther) {
			kind = "benchmark"
		}
	}
	known := map[*benchfile.File][]bool{} // doubts
	for i := 1; i < len(files); i++ {
		where := ""
		if len(files) > 2 {
			where = " in " + names[i]
		}
		all := r.tallies(i)
		for _, y := range all {
			text, doubts := y.says(names[i], kind, where), about(files, names, known, i)
			if y.all > 0 && len(y.better)+len(y.worse) == 0 {
				doubts = slices.Insert(doubts, 0, y.samples())
			}
			if doubts != nil {
				text += " (" + strings.Join(doubts, "; ") + ")"
			}
			if len(all) > 1 {
				text = strings.Join(y.units, ", ") + ": " + text
			}
			lines = append(lines, text)
		}
	}
	return lines
}

// isOther reports whether a result is neither of a lock nor of the machine.
func isOther(r *benchfmt.Result) bool {
	_, _, lock := bench.ParseName(r.Name)
	return !lock && !bench.AboutMachine(r.Name)
}

// doubtful are the doubts about a file, and what is said of two files that share one.
var doubtful = []struct {
	one, both string
	is        func(*benchfile.File) bool
}{
	{" was noisy", "both runs were noisy", func(f *benchfile.File) bool {
		return strings.HasPrefix(rank.New(f.Results).Quiet, rank.NotQuiet)
	}},
	{" is not complete", "neither file is complete", func(f *benchfile.File) bool { return f.Incomplete != "" }},
	{" is of a model", "both files are of models", func(f *benchfile.File) bool { return modelOf(f) != "" }},
}

// about says what is doubtful about the first file and the one with the number i.
func about(files []*benchfile.File, names []string, known map[*benchfile.File][]bool, i int) (said []string) {
	for _, f := range []*benchfile.File{files[0], files[i]} {
		if known[f] == nil {
			for _, d := range doubtful {
				known[f] = append(known[f], d.is(f))
			}
		}
	}
	for k, d := range doubtful {
		switch first, second := known[files[0]][k], known[files[i]][k]; {
		case first && second:
			said = append(said, d.both)
		case first:
			said = append(said, names[0]+d.one)
		case second:
			said = append(said, names[i]+d.one)
		}
	}
	return said
}

// shortNames names files as shortly as tells them apart: by the ends of their paths, or by the
// letters of their columns if a file is there twice.
func shortNames(paths []string) []string {
	bare := func(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) }
	folder := func(path string) string { return filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path)) }
	whole := func(path string) string { return path }
	for _, end := range []func(string) string{filepath.Base, folder, whole} {
		for _, short := range []func(string) string{bare, whole} {
			var names []string
			for _, path := range paths {
				names = append(names, short(end(path)))
			}
			if len(slices.Compact(slices.Sorted(slices.Values(names)))) == len(paths) {
				return names
			}
		}
	}
	var letters []string
	for i := range paths {
		letters = append(letters, column(i))
	}
	return letters
}
