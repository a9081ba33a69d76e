package steps

import (
	_ "embed"
	"html/template"
	"io"
	"maps"
	"slices"

	"shmbench/internal/cli"
	"shmbench/internal/page/stepper"
)

// HTML defines the templates of the viewer, with those of package stepper.
//
//go:embed steps.html
var HTML string

// JS is the script of the viewer, which follows that of package stepper.
//
//go:embed steps.js
var JS string

// Data is what a page has for the script.
type Data struct {
	Executions []*Execution      `json:"executions"`
	Sources    map[string]string `json:"sources"`
}

// Data returns the executions, and of the functions, by the places where they begin, those that
// some execution shows.
func (l List) Data(functions map[string]string) Data {
	d := Data{append([]*Execution{}, l...), map[string]string{}}
	for _, e := range l {
		e.Code = slices.DeleteFunc(slices.Clone(e.Code), func(place string) bool { return functions[place] == "" })
		slices.SortFunc(e.Code, ByNumber)
		for _, place := range e.Code {
			d.Sources[place] = functions[place]
		}
	}
	return d
}

var page = template.Must(template.Must(template.New("steps").Parse(stepper.HTML + HTML)).Parse(`{{template "alone" .}}`))

// Write writes a page that has only the executions, with the functions.
func (l List) Write(w io.Writer, functions map[string]string) error {
	of := map[string]bool{}
	for _, e := range l {
		of[e.Of] = true
	}
	title := "executions"
	if len(of) == 1 {
		title = slices.Collect(maps.Keys(of))[0]
	}
	return page.Execute(w, struct {
		CSS        template.CSS
		JS         template.JS
		Title      string
		Executions []*Execution
		Steps      Data
	}{template.CSS(stepper.Colors + stepper.CSS), template.JS(stepper.JS + JS), title, l, l.Data(functions)})
}

// WritePage writes the page of the executions to a file, without functions, and names the file on
// diagnostics.
func (l List) WritePage(diagnostics io.Writer, path string) error {
	return cli.WritePage(diagnostics, path, func(w io.Writer) error { return l.Write(w, nil) })
}
