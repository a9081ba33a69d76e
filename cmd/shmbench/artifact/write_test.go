package artifact

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/shm"
)

// artifactIn writes an artifact into a new folder, and returns the texts of its files by their names.
func artifactIn(t *testing.T, in Input, before map[string]string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range before {
		require.NoError(t, write(dir, name, []byte(text)))
	}
	require.NoError(t, Write(dir, in))
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(text)
		info, infoErr := d.Info()
		require.NoError(t, infoErr)
		require.Equal(t, strings.HasSuffix(name, ".sh"), info.Mode()&0o100 != 0, "%s can be run", name)
		return err
	}))
	return files
}

// TestWrite: the files of an artifact have the claims, the costs, the predictions and the sources that are cited.
func TestWrite(t *testing.T) {
	source := shm.Source{Author: "A. Author", Title: "Locks", Venue: "Journal 1(2)", Year: 2001}
	files := artifactIn(t, Input{
		Lock: "tas/tas", Claims: claims(t, "holds"), Others: []*check.Report{{Algorithm: "other/lock", N: 3, Modes: new(check.Modes)}},
		Costs:       costs(t, "1 2 3 4 5 6 7 8 9", "11 12 13 14 15 16 17 18 19"),
		Predictions: []Prediction{{"tas/tas", 2, 100, 90}, {"queue/mcs", 2, 100, 150}},
		Cited:       []shm.Source{source, source}, Command: "shmbench artifact tas/tas", Version: "v1, go1.26",
	}, map[string]string{
		"source/go.mod": "module m\n", "source/License.txt": "free\n",
		"data/predict-here.txt": "# about: this machine\nno\n", "data/predict.txt": "# about: one machine\n# about: another machine\n",
	})
	require.Equal(t, "lock\tprocesses\tns/passage\tlow\thigh\nqueue/mcs\t2\t15\t12\t18\ntas/tas\t2\t5\t2\t8\n"+
		"\nlock\tagainst\tprocesses\tratio\tp\ntas/tas\tqueue/mcs\t2\t0.333\t4.1e-05\n", sortedLines(files["comparison.tsv"]))
	require.Equal(t, "lock\tprocesses\tmeasured ns/passage\tpredicted\terror\ntas/tas\t2\t100\t90\t-10 %\nqueue/mcs\t2\t100\t150\t+50 %\n", files["predictions.tsv"])
	require.Equal(t, 1, strings.Count(files["references.bib"], "@article{author2001locks,"))
	require.True(t, strings.HasSuffix(files["claims.json"], "]\n"))
	back, err := ReadClaims([]byte(`{"results": ` + files["claims.json"] + "}"))
	require.NoError(t, err)
	require.Empty(t, Differences(claims(t, "holds"), back))
	require.Contains(t, files["tables.tex"], "a/b & 2 & 5 & holds")
	require.Contains(t, files["tables.tex"], "other/lock (all modes) & 3")
	require.Contains(t, files["tables.tex"], `tas/tas & queue/mcs & 2 & 0.333 & 4.1e-05 \\`)
	require.True(t, strings.HasPrefix(files["plot.svg"], "<svg "))
	require.True(t, strings.HasPrefix(files["plot.pdf"], "%PDF-1.4"))
	require.Contains(t, files["rerun.sh"], `exec shmbench artifact verify "$(dirname "$0")"`)
	readme := files["README.md"]
	for _, part := range []string{
		"# Artifact: tas/tas\n\nEverything that the check asks of the lock holds,", "shmbench v1, go1.26 made this folder with the command\n\n    shmbench artifact tas/tas\n",
		"its module files with the license.", "\n- `data/predict-here.txt`: this machine\n- `data/predict.txt`: one machine\n- `data/predict.txt`: another machine\n",
		"Over 2 points, the median error is 30 % and the largest 50 %.",
	} {
		require.Contains(t, readme, part)
	}
	require.NotContains(t, readme, "has no license")
}

// sortedLines puts the costs of the comparison in the order of their names: those of costs have none.
func sortedLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	if lines[1] > lines[2] {
		lines[1], lines[2] = lines[2], lines[1]
	}
	return strings.Join(lines, "")
}

// TestReadme: the README says first what does not hold or is undecided, and what is missing.
func TestReadme(t *testing.T) {
	source := map[string]string{"source/COPYING": ""}
	open := claims(t, "holds")
	open[0].Undecided = []check.Undecided{{Properties: []string{"mutual exclusion"}, Why: "stopped"}}
	refused, disagrees := claims(t, "holds"), claims(t, "holds")
	refused[0].Refused = "it sleeps"
	disagrees[0].Disagreements = []string{"turn takes 3 values"}
	for _, c := range []struct {
		claims     []*check.Report
		begin, not string
	}{
		{claims(t, "violated"), "**The lock fails its check.** `data/check.json` has the counterexamples.\n\n- a/b, n = 2: mutual exclusion is violated\n\nshmbench", "Something is undecided"},
		{disagrees, "**The lock fails its check.** `data/check.json` has the counterexamples.\n\n- a/b, n = 2: turn takes 3 values\n\nshmbench", "Something is undecided"},
		{open, "**Something is undecided.**\n\n- a/b, n = 2: mutual exclusion: stopped\n\nshmbench", "fails its check"},
		{refused, "**Something is undecided.**\n\n- a/b, n = 2: it sleeps\n\nshmbench", "fails its check"},
	} {
		text := artifactIn(t, Input{Lock: "a/b", Claims: c.claims}, source)["README.md"]
		require.True(t, strings.HasPrefix(text, "# Artifact: a/b\n\n"+c.begin), text)
		require.NotContains(t, text, c.not)
		require.NotContains(t, text, "Everything that the check asks")
		require.NotContains(t, text, "has no license")
		require.Contains(t, text, "Nothing that was measured could be predicted")
	}
	text := artifactIn(t, Input{Lock: "a/b", Claims: claims(t, "holds")}, map[string]string{"source/lock.go": ""})["README.md"]
	require.Contains(t, text, "**The module has no license.**")
	require.NotContains(t, text, "with the license")
	require.ErrorIs(t, Write(t.TempDir(), Input{}), fs.ErrNotExist, "there are no sources")
}

// TestPlot: the bars are as long as the medians, the thin bars are the intervals, and an interval that is open is left out.
func TestPlot(t *testing.T) {
	d := plotted([]Cost{{Lock: "a", Procs: 1, Center: 50, Lo: 25, Hi: 100}, {Lock: "b", Procs: 2, Center: 200, Lo: -1, Hi: inf}})
	require.Equal(t, &drawing{
		width: 620, height: 76,
		bars: []bar{{230, 33, 75, 9}, {267.5, 36.5, 112.5, 2}, {230, 51, 300, 9}, {530, 54.5, 0, 2}},
		texts: []text{
			{10, 20, "ns per passage, median and interval"}, {10, 41, "a, 1 processes"}, {386, 41, "50"}, {10, 59, "b, 2 processes"}, {536, 59, "200"},
		},
	}, d)
	small := plotted([]Cost{{Lock: "a", Procs: 1, Center: 0.5, Lo: 0.5, Hi: 0.5}})
	require.Equal(t, bar{230, 33, 150, 9}, small.bars[0], "the scale is one nanosecond long at least")
	svg := string(SVG([]Cost{{Lock: "a<b", Procs: 1, Center: 50, Lo: 25, Hi: 100}}))
	require.Contains(t, svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"620\" height=\"58\"")
	require.Contains(t, svg, "<rect x=\"230.00\" y=\"33.00\" width=\"150.00\" height=\"9.00\" fill=\"rgb(178,178,178)\"/>\n<rect x=\"305.00\" y=\"36.50\" width=\"225.00\" height=\"2.00\" fill=\"rgb(51,51,51)\"/>\n")
	require.Contains(t, svg, "<text x=\"10.00\" y=\"41.00\">a&lt;b, 1 processes</text>")
	pdf := string(PDF([]Cost{{Lock: "a(b", Procs: 1, Center: 50, Lo: 25, Hi: 100}}))
	require.Contains(t, pdf, "0.7 g 230.00 16.00 150.00 9.00 re f\n0.2 g 305.00 19.50 225.00 2.00 re f\n")
	require.Contains(t, pdf, "1 0 0 1 10.00 17.00 Tm (a\\(b, 1 processes) Tj\n")
	require.Contains(t, pdf, "/MediaBox [0 0 620 58]")
	stream := pdf[strings.Index(pdf, "stream\n")+len("stream\n") : strings.Index(pdf, "endstream")]
	require.Contains(t, pdf, fmt.Sprintf("<< /Length %d >>", len(stream)))
	require.True(t, strings.HasPrefix(pdf[strings.Index(pdf, "xref\n"):], "xref\n0 6\n0000000000 65535 f \n"))
	require.True(t, strings.HasSuffix(pdf, fmt.Sprintf("trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", strings.Index(pdf, "xref\n"))))
}

var inf = math.Inf(1)

// TestCells: what is not known, not bounded or not measured has a word for it.
func TestCells(t *testing.T) {
	none, three := -1, 3
	require.Equal(t, []string{"unknown", "unbounded", "3"}, []string{count(nil), count(&none), count(&three)})
	zero := 0
	require.Equal(t, "0", count(&zero))
	require.Equal(t, []string{"unknown", "0.333", "1.23e+03"}, []string{digits(inf), digits(1.0 / 3), digits(1234)})
	require.Equal(t, "unknown", amortized(nil, shm.Distributed))
	require.Equal(t, "unknown", amortized(new(check.Costs), shm.Distributed))
	require.Equal(t, "7/2", amortized(claims(t, "holds")[0].Costs, shm.Distributed))
	require.Equal(t, `a\_b\%\&\#\$\{\}\^{}\~{}\textbackslash{}`, latex.Replace(`a_b%&#$`+"{}^~"+`\`))
	table := newTabular("c", "lr", "a", "b")
	table.row("x_y", 2)
	require.Equal(t, "% c\n\\begin{tabular}{lr}\n\\toprule\na & b \\\\\n\\midrule\nx\\_y & 2 \\\\\n\\bottomrule\n\\end{tabular}\n", table.end())
}
