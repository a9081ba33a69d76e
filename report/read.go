// Package report makes one page of what the other instruments found: results,
// cards, verdicts and predictions. It reads files and never a lock.
package report

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"shmbench/internal/benchfile"
	"shmbench/report/rank"
)

// Input is all that a page is made of.
type Input struct {
	Runs     []*Run    `json:"runs"`
	Cards    []Card    `json:"-"`
	Checks   []Check   `json:"-"`
	Stresses []Stress  `json:"-"`
	Mutants  []Mutant  `json:"-"`
	Missing  []Missing `json:"missing,omitempty"`
	// Executions are those of checks, too, and Sources the functions that they are
	// executions of, by the place where each begins.
	Executions []*Execution      `json:"-"`
	Sources    map[string]string `json:"-"`
}

// Run is a file of results, or the part of one configuration in a file of several.
type Run struct {
	Label string `json:"label"` // the end of its path, by which the page names it
	Path  string `json:"path"`
	// Model is the machine that was modelled, and empty if it was measured.
	Model  string `json:"model,omitempty"`
	file   *benchfile.File
	ranked *rank.Report
}

// Missing is a file of which a part, or all, is not in the page.
type Missing struct {
	File string `json:"file"`
	What string `json:"what"`
}

// Card is what list -json says of a lock, as far as the page shows it.
type Card struct {
	Name, Title, Family, Class string
	VariantOf                  string `json:"variant_of"`
	Source                     struct {
		Author, Title, Venue, Page string
		Year                       int
	}
	Reconstructed bool
	Modes         []string
	Accesses      *struct{ Loads, Stores, RMWs int }
	MinProcs      int `json:"min_procs"`
	MaxProcs      int `json:"max_procs"`
	Claims        struct {
		DeadlockFree   bool `json:"deadlock_free"`
		StarvationFree bool `json:"starvation_free"`
		Bypass         string
		FCFS           bool
		Doorway        string
		LocalSpin      struct{ CC, DSM bool } `json:"local_spin"`
		Weakest        struct {
			Exclusion      string
			DeadlockFree   string `json:"deadlock_free"`
			StarvationFree string `json:"starvation_free"`
		}
	}
	Space      []register
	Invariants []struct{ Name string }
}

type register struct {
	Name, Count, Values string
	SingleWriter        bool `json:"single_writer"`
}

// cardFormat is the format of the documents that have cards.
const cardFormat = "shmbench list 1"

// Check is a verdict of the model checker.
type Check struct {
	Algorithm string
	N         int
	Memory    string
	Model     string `json:"register_model"`
	States    uint64
	Exhausted bool
	Exclusion string `json:"mutual_exclusion"`
	Deadlock  string `json:"deadlock_freedom"`
	Lockout   string `json:"starvation_freedom"`
	FCFS      string
	Bypass    *int64 // -1 without a bound, nil if it is not known
	Code      []string
	Modes     json.RawMessage // of passages in all modes
	Registers []struct {
		Name      string
		Count     int
		Values    int
		Unbounded bool
	}
	RMR struct {
		Caches *remote `json:"cc_write_back"`
		DSM    *remote
	}
	Disagreements []string

	// Counterexamples are those of SharedWith, if that is another lock.
	Counterexamples []trace
	SharedWith      string `json:"shared_with"`
	executions      []*Execution
}

// remote is how many references to other memory a passage makes.
type remote struct {
	Alone int
	Among int `json:"among_n"` // -1 without a bound
}

// Stress is the outcome table of a lock on real processors.
type Stress struct {
	Algorithm string
	Outcomes  []struct {
		Name, Grade string
		Count       uint64
	}
}

// Mutant is a row of the kill table.
type Mutant struct {
	Mutant, Broken, Got, Oracle string
	MustGet                     string `json:"must_get"`
	Procs                       int
	Passages                    uint64
	AsExpected                  bool   `json:"as_expected"`
	OutOfReach                  string `json:"out_of_reach"`
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

// Read reads the Files of paths, which are of all kinds. What cannot be opened is an
// error, and so is a set of files of which none can be used; other files that are of
// no use, or not whole, are noted as missing.
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
		data, err := readAll(ctx, path)
		if err != nil {
			return nil, err
		}
		in.Add(path, data)
	}
	if len(in.Runs)+len(in.Cards)+len(in.Checks)+len(in.Stresses)+len(in.Mutants)+len(in.Executions) == 0 {
		if len(in.Missing) > 0 {
			return nil, fmt.Errorf("nothing to report: %s: %s", in.Missing[0].File, in.Missing[0].What)
		}
		return nil, errors.New("nothing to report: no .txt or .json file is there")
	}
	return in, nil
}

func readAll(ctx context.Context, path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all bytes.Buffer
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch _, err := io.CopyN(&all, f, 1<<20); {
		case errors.Is(err, io.EOF):
			return all.Bytes(), nil
		case err != nil:
			return nil, err
		}
	}
}

// Add adds the contents of a file.
func (in *Input) Add(path string, data []byte) {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		in.addDocument(path, data)
		return
	}
	file, err := benchfile.Read(bytes.NewReader(data), path)
	if end := bytes.LastIndexByte(data, '\n'); err != nil && end+1 < len(data) {
		if whole, failed := benchfile.Read(bytes.NewReader(data[:end+1]), path); failed == nil {
			in.miss(path, "the last line is broken off; the others are used")
			file, err = whole, nil
		}
	}
	for range mostBadLines {
		if err == nil {
			break
		}
		// A line that is no measurement is left out, and said to be.
		whole, ok := withoutLine(data, path, err)
		if !ok {
			break
		}
		in.miss(path, err.Error()+"; the other lines are used")
		data = whole
		file, err = benchfile.Read(bytes.NewReader(data), path)
	}
	if err != nil {
		in.miss(path, err.Error())
		return
	}
	in.addRuns(path, file)
}

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
		known := slices.ContainsFunc(in.Cards, func(c Card) bool { return c.Name == name })
		if !known && !in.addEntry(cardFormat, specifications[name]) {
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

func (in *Input) miss(path, what string) {
	in.Missing = append(in.Missing, Missing{path, strings.TrimPrefix(what, path+": ")})
}

// addDocument adds what -json printed, as far as it goes.
func (in *Input) addDocument(path string, data []byte) {
	d := json.NewDecoder(bytes.NewReader(data))
	var format string
	complete, used, foreign := false, 0, 0
	fail := func(err error) {
		in.miss(path, fmt.Sprintf("broken off or damaged (%v); %d entries are used", err, used))
	}
	if _, err := d.Token(); err != nil {
		fail(err)
		return
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			fail(err)
			return
		}
		switch key {
		case "format":
			err = d.Decode(&format)
		case "complete":
			err = d.Decode(&complete)
		case "results":
			used, foreign, err = in.addEntries(d, format)
		case "sources":
			var texts map[string]string
			if err = d.Decode(&texts); err == nil {
				in.addSources(texts)
			}
		default:
			err = d.Decode(new(json.RawMessage))
		}
		if err != nil {
			fail(err)
			return
		}
	}
	if _, err := d.Token(); err != nil {
		fail(err)
		return
	}
	switch {
	case used == 0:
		in.miss(path, fmt.Sprintf("a document of the format %q has nothing that is shown here", format))
	case foreign > 0:
		in.miss(path, fmt.Sprintf("%d entries are not understood", foreign))
	case !complete:
		in.miss(path, "says that it is not complete")
	}
}

func (in *Input) addEntries(d *json.Decoder, format string) (used, foreign int, err error) {
	if format == "shmbench lockstep 1" || format == "shmbench dist replay 1" || format == "shmbench dist explore 1" { // of one result
		var entry json.RawMessage
		if err := d.Decode(&entry); err != nil {
			return 0, 0, err
		}
		if !in.addEntry(format, entry) {
			return 0, 1, nil
		}
		return 1, 0, nil
	}
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return 0, 0, cmp.Or(err, errors.New("the results are no list"))
	}
	for d.More() {
		var entry json.RawMessage
		if err := d.Decode(&entry); err != nil {
			return used, foreign, err
		}
		if in.addEntry(format, entry) {
			used++
		} else {
			foreign++
		}
	}
	_, err = d.Token()
	return used, foreign, err
}

func (in *Input) addSources(texts map[string]string) {
	if in.Sources == nil {
		in.Sources = map[string]string{}
	}
	for place, text := range texts {
		if _, known := in.Sources[place]; !known {
			in.Sources[place] = text
		}
	}
}

func (in *Input) addEntry(format string, entry json.RawMessage) bool {
	if ok, known := in.addSteps(format, entry); known {
		return ok
	}
	switch format {
	case cardFormat:
		var c Card
		if json.Unmarshal(entry, &c) != nil || c.Name == "" || c.Class == "" {
			return false
		}
		in.Cards = append(in.Cards, c)
	case "shmbench check 1":
		var c Check
		var shown struct{ Report json.RawMessage } // an exhibit's
		if json.Unmarshal(entry, &shown) == nil && shown.Report != nil {
			entry = shown.Report
		}
		if json.Unmarshal(entry, &c) != nil || c.Algorithm == "" || c.N == 0 {
			return false
		}
		first := len(in.Executions)
		if c.SharedWith == "" && !in.addTraces(c.Counterexamples) {
			return false
		}
		c.Counterexamples, c.executions = nil, in.Executions[first:]
		in.Checks = append(in.Checks, c)
	case "shmbench stress 1":
		var m Mutant
		var s Stress
		switch {
		case json.Unmarshal(entry, &m) == nil && m.Mutant != "":
			in.Mutants = append(in.Mutants, m)
		case json.Unmarshal(entry, &s) == nil && s.Algorithm != "":
			in.Stresses = append(in.Stresses, s)
		default:
			return false
		}
	default:
		return false
	}
	return true
}
