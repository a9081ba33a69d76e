package report

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"shmbench/bench/benchfile"
	"shmbench/internal/results/document"
	"shmbench/report/rank"
)

// AddResults adds a file of results: a run for each configuration in it.
func (in *Input) AddResults(path string, file *benchfile.File) {
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
	for _, note := range file.Notes {
		in.Missing = append(in.Missing, Missing{File: path, What: note, Note: true})
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
		if !known && !in.addEntry(document.List, specifications[name]) {
			in.miss(path, fmt.Sprintf("the specification of %s is not understood", name))
		}
	}
}
