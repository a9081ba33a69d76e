package report

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"shmbench/internal/benchfile"
	"shmbench/report/rank"
	"slices"
	"strconv"
	"strings"
)

// addRuns adds a file of results: a run for each configuration in it.
func (in *Input) addRuns(path string, file *benchfile.File) {
	in.addSpecifications(path, file)
	before := len(in.Runs)
	for _, part := range file.Parts() {
		run := &Run{Path: path, Model: part.Results[0].GetConfig("model"), file: part, ranked: rank.New(part.Results)}
		if len(run.ranked.Tables) == 0 {
			continue
		}
		parts := strings.Split(filepath.ToSlash(strings.TrimSuffix(path, filepath.Ext(path))), "/")
		run.Label = strings.Join(parts[max(0, len(parts)-2):], "/")
		if part.Part != "" {
			run.Label += " " + part.Part
		}
		for slices.ContainsFunc(in.Runs, func(r *Run) bool { return r.Label == run.Label }) {
			run.Label += "'"
		}
		in.Runs = append(in.Runs, run)
	}
	switch {
	case len(in.Runs) == before:
		in.miss(path, "no passage of a lock in it")
	case file.Incomplete != "":
		in.miss(path, "incomplete: "+file.Incomplete)
	}
}

// addSpecifications adds the specifications of locks that a file of results has.
func (in *Input) addSpecifications(path string, file *benchfile.File) {
	specifications := file.Specifications()
	for _, name := range slices.Sorted(maps.Keys(specifications)) {
		known := slices.ContainsFunc(in.Specs, func(c Spec) bool { return c.Name == name })
		if !known && !in.addEntry(specFormat, specifications[name]) {
			in.miss(path, fmt.Sprintf("the specification of %s is not understood", name))
		}
	}
}

// mostBadLines is how many lines of a file can be of no use before all of it is.
const mostBadLines = 10

// withoutLine empties the line of a file that err, of benchfile, is about.
func withoutLine(data []byte, path string, err error) ([]byte, bool) {
	rest, found := strings.CutPrefix(err.Error(), path+":")
	digits, _, _ := strings.Cut(rest, ":")
	number, failed := strconv.Atoi(digits)
	lines := bytes.Split(data, []byte("\n"))
	if !found || failed != nil || number < 1 || number > len(lines) || len(lines[number-1]) == 0 {
		return nil, false
	}
	lines[number-1] = nil
	return bytes.Join(lines, []byte("\n")), true
}
