package artifact

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"shmbench/check"
	"shmbench/cmd/shmbench/bibtex"
	"shmbench/shm"
)

// Input is what an artifact is made of.
type Input struct {
	Lock           string
	Claims, Others []*check.Report // on the lock, and on those that it is compared with
	Costs          []Cost
	Predictions    []Prediction // for this machine
	Cited          []shm.Source // of all locks of the catalog that are used
	Command        string       // that makes the artifact
	Version        string       // of the program, with that of Go
}

// Write writes the files of an artifact beside its data and sources.
func Write(dir string, in Input) error {
	comparisons := Compare(in.Costs, in.Lock)
	claims, err := json.MarshalIndent(in.Claims, "", "  ")
	if err != nil {
		return err
	}
	text, err := readme(dir, in)
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{
		"README.md":       text,
		"claims.json":     append(claims, '\n'),
		"comparison.tsv":  comparisonTSV(in.Costs, comparisons),
		"predictions.tsv": predictionTSV(in.Predictions),
		"tables.tex":      []byte(Tables(slices.Concat(in.Claims, in.Others), in.Costs, comparisons)),
		"references.bib":  []byte(bibtex.Entries(in.Cited)),
		"plot.svg":        SVG(in.Costs),
		"plot.pdf":        PDF(in.Costs),
		"rerun.sh":        []byte("#!/bin/sh\n# Reruns everything in this folder, and compares. It needs shmbench and Go, and no network.\nset -e\nexec shmbench artifact verify \"$(dirname \"$0\")\"\n"),
	} {
		if err := write(dir, name, text); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file by its name with slashes. A script can be run.
func write(dir, name string, text []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	mode := os.FileMode(0o666)
	if strings.HasSuffix(name, ".sh") {
		mode = 0o777
	}
	return os.WriteFile(path, text, mode)
}

func comparisonTSV(costs []Cost, comparisons []Comparison) []byte {
	var b bytes.Buffer
	b.WriteString("lock\tprocesses\tns/passage\tlow\thigh\n")
	for _, c := range costs {
		fmt.Fprintf(&b, "%s\t%d\t%s\t%s\t%s\n", c.Lock, c.Procs, digits(c.Center), digits(c.Lo), digits(c.Hi))
	}
	b.WriteString("\nlock\tagainst\tprocesses\tratio\tp\n")
	for _, c := range comparisons {
		fmt.Fprintf(&b, "%s\t%s\t%d\t%s\t%.2g\n", c.Lock, c.Against, c.Procs, digits(c.Ratio), c.P)
	}
	return b.Bytes()
}

func predictionTSV(predictions []Prediction) []byte {
	var b bytes.Buffer
	b.WriteString("lock\tprocesses\tmeasured ns/passage\tpredicted\terror\n")
	for _, p := range predictions {
		fmt.Fprintf(&b, "%s\t%d\t%.4g\t%.4g\t%+.0f %%\n", p.Lock, p.Procs, p.Measured, p.Predicted, 100*p.Error())
	}
	return b.Bytes()
}

//go:embed readme.md.tmpl
var readmeText string

var readmeTemplate = template.Must(template.New("README.md").Parse(readmeText))

// readme is the README, with the steps in the order of the badges of ACM.
func readme(dir string, in Input) ([]byte, error) {
	sources, err := ReadSources(dir)
	if err != nil {
		return nil, err
	}
	licensed := false
	for name := range sources {
		upper := strings.ToUpper(name)
		licensed = licensed || strings.HasPrefix(upper, "LICEN") || strings.HasPrefix(upper, "COPYING")
	}
	view := map[string]any{"Input": in, "Wrong": StateOf(in.Claims) == Wrong, "Open": StateOf(in.Claims) == Open, "Licensed": licensed,
		"Failures": failures(in.Claims), "Models": models(filepath.Join(dir, "data")), "Predicted": len(in.Predictions)}
	if len(in.Predictions) > 0 {
		median, largest := Errors(in.Predictions)
		view["Median"], view["Largest"] = fmt.Sprintf("%.0f %%", 100*median), fmt.Sprintf("%.0f %%", 100*largest)
	}
	var b bytes.Buffer
	err = readmeTemplate.Execute(&b, view)
	return b.Bytes(), err
}

// failures says what is violated or undecided, a line for each.
func failures(claims []*check.Report) (says []string) {
	for _, r := range claims {
		of := fmt.Sprintf("%s, n = %d: ", name(r), r.N)
		for _, p := range r.Violated() {
			says = append(says, of+p+" is violated")
		}
		for _, d := range r.Disagreements {
			says = append(says, of+d)
		}
		for _, u := range r.Undecided {
			says = append(says, of+u.String())
		}
		if r.Refused != "" {
			says = append(says, of+r.Refused)
		}
	}
	return says
}

// models are what the files of predictions say of their models, each once.
func models(data string) (says []string) {
	for _, file := range []string{"predict-here.txt", "predict.txt"} {
		f, err := os.Open(filepath.Join(data, file))
		if err != nil {
			continue
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if about, ok := strings.CutPrefix(lines.Text(), "# about: "); ok {
				says = append(says, fmt.Sprintf("`data/%s`: %s", file, about))
			}
		}
	}
	return says
}
