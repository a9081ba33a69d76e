package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"shmbench/bench"
	"shmbench/internal/results/document"
	"shmbench/stress"
)

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
	case strings.HasPrefix(format, "dmesim "):
		in.miss(path, "a document of dmesim, which writes its pages itself: dmesim replay -o FILE.html, dmesim explore -o FILE.html")
	case used == 0:
		in.miss(path, fmt.Sprintf("a document of the format %q has nothing that is shown here", format))
	case foreign > 0:
		in.miss(path, fmt.Sprintf("%d entries are not understood", foreign))
	case !complete:
		in.miss(path, "says that it is not complete")
	}
}

func (in *Input) addEntries(d *json.Decoder, format string) (used, foreign int, err error) {
	switch format {
	case document.List, document.Check, document.Stress, document.Trace:
	case document.Lockstep: // of one result
		var entry json.RawMessage
		if err := d.Decode(&entry); err != nil {
			return 0, 0, err
		}
		if !in.addEntry(format, entry) {
			return 0, 1, nil
		}
		return 1, 0, nil
	default: // with nothing that the page shows
		return 0, 0, d.Decode(new(json.RawMessage))
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
	case document.List:
		var c Spec
		if json.Unmarshal(entry, &c) != nil || c.Name == "" || c.MaxProcs == 0 {
			return false
		}
		in.Specs = append(in.Specs, c)
	case document.Check:
		c := new(Check)
		var shown struct{ Report json.RawMessage } // a known-broken lock's
		if json.Unmarshal(entry, &shown) == nil && shown.Report != nil {
			entry = shown.Report
		}
		if json.Unmarshal(entry, c) != nil || c.Algorithm == "" || c.N == 0 {
			return false
		}
		first := len(in.Executions)
		if c.SharedWith == "" && !in.addTraces(c.Counterexamples) {
			return false
		}
		c.Counterexamples, c.executions = nil, in.Executions[first:]
		in.Checks = append(in.Checks, c)
	case document.Stress:
		var m stress.Kill
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

// Know adds those of the specifications whose locks the files have results of but no
// specification.
func (in *Input) Know(all []bench.Specification) {
	about := map[string]bool{}
	for _, name := range in.Measured() {
		about[name] = true
	}
	for _, c := range in.Checks {
		about[c.Algorithm] = true
	}
	for _, s := range in.Stresses {
		about[s.Algorithm] = true
	}
	known := map[string]bool{}
	for _, c := range in.Specs {
		known[c.Name] = true
	}
	for _, c := range all {
		if about[c.Name] && !known[c.Name] {
			in.Specs = append(in.Specs, Spec{c})
		}
	}
}
