package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"shmbench/check"
)

// outputs is the flag -o of check: files whose endings say what is written, one of each.
type outputs struct {
	page, traces, graph string // the files; empty: none
	process             int    // whose automaton is drawn in place of the graph of all states; -1: none
	drawing             bytes.Buffer
}

// The endings of the files, and what is written to them.
const (
	pageEnding  = ".html" // the executions, to step through
	traceEnding = ".json" // the executions as data, or the certificate of a proof
	graphEnding = ".dot"  // the states, for Graphviz
)

// refusedWith has the endings of files that cannot be written beside a flag.
var refusedWith = []struct {
	flag    string
	endings []string
}{
	{"replay", []string{traceEnding, graphEnding}},
	{"mutants", []string{graphEnding}},
	{"known-broken", []string{graphEnding}},
	{"crashes", []string{graphEnding}},
	{"registers", []string{graphEnding}},
	{"safety", []string{graphEnding}},
}

// Set adds a file.
func (o *outputs) Set(text string) error {
	name, process := drawn(text)
	var file *string
	switch filepath.Ext(name) {
	case pageEnding:
		file = &o.page
	case traceEnding:
		file = &o.traces
	case graphEnding:
		file, o.process = &o.graph, process
	}
	switch {
	case file == nil || process >= 0 && file != &o.graph:
		return errors.New("the ending must be .html for a page, .json for the executions as data, or .dot for a graph")
	case *file != "":
		return fmt.Errorf("%s is given already: name one file with this ending", *file)
	}
	*file = name
	return nil
}

// Files makes outputs the value of a flag that names several files.
func (o *outputs) Files() []string {
	return slices.DeleteFunc([]string{o.page, o.traces, o.graph}, func(name string) bool { return name == "" })
}

func (o *outputs) String() string { return strings.Join(o.Files(), ", ") }

// drawn returns the file that FILE.dot:P names, and the process behind it, or -1.
func drawn(text string) (name string, process int) {
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		if process, err := strconv.Atoi(text[i+1:]); err == nil && process >= 0 {
			return text[:i], process
		}
	}
	return text, -1
}

// check refuses files that cannot be written beside the flags that were given.
func (o *outputs) check(fs *flag.FlagSet, n procsList) error {
	refuse := func(beside string, endings []string) error {
		for _, file := range o.Files() {
			if slices.Contains(endings, filepath.Ext(file)) {
				return fmt.Errorf("-o %s cannot be combined with -%s", file, beside)
			}
		}
		return nil
	}
	for _, r := range refusedWith {
		if given(fs, r.flag) {
			if err := refuse(r.flag, r.endings); err != nil {
				return err
			}
		}
	}
	if n.every {
		return refuse("procs "+every, []string{pageEnding, graphEnding})
	}
	if o.graph == "" {
		return nil
	}
	switch procs := n.IntList; {
	case len(procs) != 1:
		return fmt.Errorf("-o %s draws one lock for one number of processes: give -procs with one", o.graph)
	case o.process >= procs[0]:
		return fmt.Errorf("-o %s:%d: there is no process %[2]d: the processes are 0 to %d", o.graph, o.process, procs[0]-1)
	}
	return nil
}

// dot asks the checker for the drawing, nil for none. It is kept in memory, because there is
// no file of a lock that the checker does not draw.
func (o *outputs) dot() *check.Dot {
	if o.graph == "" {
		return nil
	}
	return &check.Dot{W: &o.drawing, Process: o.process}
}

// writeGraph writes the drawing, if there is one.
func (o *outputs) writeGraph() error {
	if o.drawing.Len() == 0 {
		return nil
	}
	return writeFile(o.graph, nil, func(w io.Writer) error {
		_, err := o.drawing.WriteTo(w)
		return err
	})
}

// write writes the traces and the page.
func (o *outputs) write(diagnostics io.Writer, traces []*check.Trace, sources map[string]string) error {
	if o.traces != "" {
		err := writeFile(o.traces, nil, func(w io.Writer) error { return writeDocument(w, check.TraceFormat, true, traces) })
		if err != nil {
			return err
		}
	}
	return o.writePage(diagnostics, traces, sources)
}

// writePage writes the page of executions, if it is asked for.
func (o *outputs) writePage(diagnostics io.Writer, traces []*check.Trace, sources map[string]string) error {
	if o.page == "" {
		return nil
	}
	return writeSteps(diagnostics, o.page, check.TraceFormat, traces, sources)
}
