package artifact

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"shmbench/internal/bibtex"
	"shmbench/shm"
)

// State is what the verdicts mean.
type State int

// The states: everything holds, something is violated, something is undecided.
const (
	Right State = iota
	Wrong
	Open
)

// Input is what an artifact is made of.
type Input struct {
	Lock    string
	Claims  []Claims
	Costs   []Cost
	Sources map[string][]byte // the files of the lock, by names with slashes
	Cited   []shm.Source      // of all locks of the catalog that are used
	Command string            // that makes the artifact
}

// Write writes the files of an artifact beside its data, and returns what the verdicts mean.
func Write(dir string, in Input) (State, error) {
	comparisons := Compare(in.Costs, in.Lock)
	claims, err := json.MarshalIndent(in.Claims, "", "  ")
	if err != nil {
		return 0, err
	}
	var bib strings.Builder
	seen := map[string]bool{}
	for _, s := range in.Cited {
		if key := bibtex.Key(s); !seen[key] {
			seen[key] = true
			bib.WriteString(bibtex.Entry(s))
		}
	}
	state := stateOf(in.Claims)
	files := map[string][]byte{
		"claims.json":    append(claims, '\n'),
		"comparison.tsv": []byte(table(in.Costs, comparisons)),
		"tables.tex":     []byte(Tables(in.Claims, comparisons)),
		"references.bib": []byte(bib.String()),
		"plot.svg":       SVG(in.Costs),
		"plot.pdf":       PDF(in.Costs),
		"rerun.sh":       []byte("#!/bin/sh\n# Reruns everything in this folder, and compares. It needs shmbench and Go, and no network.\nset -e\nexec shmbench artifact -verify \"$(dirname \"$0\")\"\n"),
		"README.md":      []byte(readme(in, state)),
	}
	for name, text := range in.Sources {
		files["source/"+name] = text
	}
	files["SHA256SUMS"] = []byte(sums(in.Sources))
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return 0, err
		}
		mode := os.FileMode(0o666)
		if strings.HasSuffix(name, ".sh") {
			mode = 0o777
		}
		if err := os.WriteFile(path, text, mode); err != nil {
			return 0, err
		}
	}
	return state, nil
}

func stateOf(claims []Claims) State {
	state := Right
	for _, c := range claims {
		switch {
		case c.Failed():
			return Wrong
		case c.Undecided():
			state = Open
		}
	}
	return state
}

// sums are the checksums of the sources, as sha256sum prints them.
func sums(sources map[string][]byte) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		fmt.Fprintf(&b, "%x  source/%s\n", sha256.Sum256(sources[name]), name)
	}
	return b.String()
}

// Changed says which sources are not those of an artifact.
func Changed(dir string, sources map[string][]byte) []string {
	text, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		return []string{"SHA256SUMS cannot be read: " + err.Error()}
	}
	if string(text) != sums(sources) {
		return []string{"the sources of the lock are not those of the artifact: SHA256SUMS differs"}
	}
	return nil
}

// table is the costs and comparisons as text.
func table(costs []Cost, comparisons []Comparison) string {
	var b strings.Builder
	b.WriteString("lock\tprocesses\tns/passage\tlow\thigh\n")
	for _, c := range costs {
		fmt.Fprintf(&b, "%s\t%d\t%.4g\t%.4g\t%.4g\n", c.Lock, c.Procs, c.Center, c.Lo, c.Hi)
	}
	b.WriteString("\nlock\tagainst\tprocesses\tratio\tp\n")
	for _, c := range comparisons {
		fmt.Fprintf(&b, "%s\t%s\t%d\t%.3g\t%.2g\n", c.Lock, c.Against, c.Procs, c.Ratio, c.P)
	}
	return b.String()
}

// readme has the steps in the order of ACM's badges.
func readme(in Input, state State) string {
	says := "Everything that the check asks of the lock holds, for the numbers of processes in `claims.json`."
	switch state {
	case Wrong:
		says = "**The lock fails its check.** `claims.json` says what is violated, and `data/check.json` has the counterexamples."
	case Open:
		says = "**Something is undecided.** `claims.json` says what, and why."
	}
	return fmt.Sprintf(`# Artifact: %s

%s

This command made the folder:

    %s

## Available

- `+"`source/`"+` has the lock, with its module files and license if there are any; `+"`SHA256SUMS`"+` has the checksums.
- `+"`data/run.txt`"+` has the measurements in the Go benchmark format. Its first lines describe the machine and the version of shmbench.

## Functional

    sha256sum -c SHA256SUMS

- `+"`claims.json`"+` has the verdicts, the numbers of processes, the exact bounds and the limits of the search. `+"`data/check.json`"+` has the executions too: counterexamples,
  and a witness of each bound.
- `+"`data/predict.txt`"+` has predictions of a model, which is no measurement. Its first lines name the machine and the assumptions.

## Reproduced

    sh rerun.sh

reruns everything and compares. It ends with status 0 if all verdicts are equal, and no order of measured costs is reversed beyond the intervals. No network is
needed. The lock must be where the command above finds it, with the sources of this folder.

- `+"`comparison.tsv`"+` has medians, intervals, ratios and p-values (Mann-Whitney, corrected by Holm).
- `+"`plot.svg`"+` and `+"`plot.pdf`"+` show the costs; `+"`tables.tex`"+` has tables for LaTeX (booktabs); `+"`references.bib`"+` cites all locks used.
`, in.Lock, says, in.Command)
}
