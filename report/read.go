// Package report makes one page of what the other instruments found: results,
// specifications, verdicts and predictions. It reads files and never a lock.
package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"shmbench/bench/benchfile"
	"shmbench/internal/page/steps"
	"shmbench/report/rank"
	"shmbench/stress"
)

// Input is all that a page is made of.
type Input struct {
	Runs     []*Run        `json:"runs"`
	Specs    []Spec        `json:"-"`
	Checks   []*Check      `json:"-"`
	Stresses []Stress      `json:"-"`
	Mutants  []stress.Kill `json:"-"`
	ToPlay   []ToPlay      `json:"to_play,omitempty"`
	Missing  []Missing     `json:"missing,omitempty"`
	// Executions are those of checks, too, and Sources the functions that they are
	// executions of, by the place where each begins.
	Executions steps.List        `json:"-"`
	Sources    map[string]string `json:"-"`
	// Dir is the folder that the page is to be in. Links to other files begin there.
	Dir string `json:"-"`
}

// Run is a file of results, or the part of one configuration in a file of several.
type Run struct {
	Label string `json:"label"` // the end of its path, by which the page names it
	Path  string `json:"path"`
	// Model is the machine that was modeled, and empty if it was measured.
	Model  string `json:"model,omitempty"`
	file   *benchfile.File
	ranked *rank.Report
}

// Missing is a file that is not, or only partly, in the page.
type Missing struct {
	File string `json:"file"`
	What string `json:"what"`
	// Note is true if nothing failed and the file goes on: a line was skipped, or repeats others.
	Note bool `json:"note,omitempty"`
}

// Complete reports whether everything of the files is in the page.
func (in *Input) Complete() bool {
	return !slices.ContainsFunc(in.Missing, func(m Missing) bool { return !m.Note })
}

// Files lists the files that Read reads of paths, each once: of a directory those
// that IsData names, at any depth.
func Files(paths []string) (files []string, err error) {
	add := func(name string) {
		if name = filepath.Clean(name); !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			add(path)
			continue
		}
		err = filepath.WalkDir(path, func(name string, entry os.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() && IsData(name) {
				add(name)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// IsData reports whether a file of a directory is taken for data, by its name.
func IsData(name string) bool { return filepath.Ext(name) == ".txt" || filepath.Ext(name) == ".json" }

// Read reads the Files of paths, of all kinds. It returns an error if a file cannot be
// opened, or if no file can be used. Files that are of no use, or cut short, are among
// Missing.
func Read(ctx context.Context, paths []string) (*Input, error) {
	if len(paths) == 0 {
		return nil, errors.New("name the files of results, or the directory that they are in")
	}
	files, err := Files(paths)
	if err != nil {
		return nil, err
	}
	in := new(Input)
	for _, path := range files {
		data, err := benchfile.ReadFile(ctx, path)
		if err != nil {
			return nil, err
		}
		in.Add(path, data)
	}
	if len(in.Runs)+len(in.Specs)+len(in.Checks)+len(in.Stresses)+len(in.Mutants)+len(in.Executions)+len(in.ToPlay) == 0 {
		if len(in.Missing) > 0 {
			return nil, fmt.Errorf("nothing to report: %s: %s", in.Missing[0].File, in.Missing[0].What)
		}
		return nil, errors.New("nothing to report: no .txt or .json file is there")
	}
	return in, nil
}

// Add adds the contents of a file.
func (in *Input) Add(path string, data []byte) {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		in.addDocument(path, data)
		return
	}
	if isPage(data) {
		in.addToPlay(path, data)
		return
	}
	file, err := benchfile.Read(bytes.NewReader(data), path)
	if err != nil {
		in.miss(path, err.Error())
		return
	}
	in.AddResults(path, file)
}

func (in *Input) miss(path, what string) {
	in.Missing = append(in.Missing, Missing{File: path, What: strings.TrimPrefix(what, path+": ")})
}
