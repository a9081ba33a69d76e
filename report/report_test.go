package report

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/bench"
	"shmbench/internal/plot/plottest"
	"shmbench/shm"
)

// text makes a file of results: locks with a time for one process each, twice as
// much for two, and so on.
func text(cpu string, procs []int, locks map[string]float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Unit ns/op better=lower\ncpu: %s\ncores: 2\n\n", cpu)
	for sample := range 11 {
		for name, ns := range locks {
			for _, n := range procs {
				v := ns*float64(n) + 0.02*float64(sample)
				fmt.Fprintf(&b, "BenchmarkPassage/alg=%s/procs=%d/cs=0/ncs=0 100 %g ns/op %g xfers/op %g p50-ns %g p99-ns %g handoff-ns 0.99 jain-short 3 longest-run\n",
					name, n, v, v/10, v, 5*v, v/2)
			}
		}
	}
	return b.String()
}

func written(t *testing.T, in *Input) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, in.Write(&b))
	return b.String()
}

// plain is the text of a page without its tags.
func plain(page string) string {
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " "))
}

// One sample, one lock and one process make a page too.
func TestAPageOfLittle(t *testing.T) {
	in := new(Input)
	in.Add("x.txt", []byte("BenchmarkPassage/alg=tas-tas/procs=1/cs=0/ncs=0 100 10 ns/op\n"))
	page := plain(written(t, in))
	require.Contains(t, page, "10.0 (one sample) ns")
	require.Contains(t, page, "whether the machine was quiet is not recorded")
	require.Contains(t, page, "No file that was given has this.")
	require.Contains(t, plain(written(t, new(Input))), "Nothing was measured.")
}

// Every value of the file is in the table behind its chart, and as many marks are
// drawn; the page loads nothing from elsewhere.
func TestTheChartsHaveTheValues(t *testing.T) {
	in := new(Input)
	in.Add("m/run.txt", []byte(text("A", []int{1, 2, 4}, map[string]float64{"queue-mcs": 20, "tas-tas": 10})))
	page := written(t, in)
	cost := page[strings.Index(page, `<section id="cost">`):strings.Index(page, `<section id="transfers">`)]
	drawn := map[string]int{}
	for _, m := range plottest.Marks(cost) {
		drawn[m.Series+" at "+m.At]++
	}
	require.Equal(t, map[string]int{"tas/tas at 1": 1, "tas/tas at 2": 1, "tas/tas at 4": 1, "queue/mcs at 1": 1, "queue/mcs at 2": 1, "queue/mcs at 4": 1}, drawn)
	for _, want := range []string{"10.1 [10.0, 10.2]", "80.1 [80.0, 80.2]"} {
		require.Contains(t, cost, want)
	}
	require.Contains(t, page, `default-src 'none'`)
	require.NotRegexp(t, `(src|href)="?(https?:)?//`, page)
	require.Equal(t, page, written(t, in), "the same files make the same page")
}

// Markup in a name, a configuration or a file name stays text.
func TestNamesAreText(t *testing.T) {
	const evil = `</title><script>alert(1)</script><img/src=x/onerror=alert(2)>"'`
	in := new(Input)
	in.Add("m"+evil+".txt", []byte(text("A"+evil, []int{1, 2}, map[string]float64{"tas-" + evil: 10, "tas-tas": 20})))
	in.Add("c.json", []byte(`{"format": "shmbench check 1", "complete": true, "results": [{"algorithm": "<script>alert(3)</script>", "n": 2}]}`))
	in.Add("d"+evil, []byte("nothing"))
	page := written(t, in)
	require.Equal(t, 1, strings.Count(page, "<script>"))
	require.NotContains(t, page, "<img")
	require.Contains(t, page, "&lt;script&gt;alert(3)")
	for _, svg := range regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(page, -1) {
		require.NoError(t, xml.Unmarshal([]byte(svg), new(struct{})), svg)
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	in := new(Input)
	whole := text("A", []int{1, 2}, map[string]float64{"tas-tas": 10})
	in.Add("cut.txt", []byte(whole[:len(whole)-30]))
	in.Add("nan.txt", []byte(strings.Replace(whole, "10 ns/op", "NaN ns/op", 1)))
	in.Add("aa.txt", []byte("words\n"))
	in.Add("cut.json", []byte(`{"format": "shmbench check 1", "complete": true, "results": [{"algorithm": "tas/tas", "n": 2}, {"algo`))
	in.Add("run.json", []byte(`{"format": "shmbench run 1", "complete": true, "results": {"lines": []}}`))
	in.Add("messages.json", []byte(`{"format": "dmesim replay 1", "complete": true, "results": {"name": "two", "nodes": 2}}`))
	in.Add("part.json", []byte(`{"format": "shmbench stress 1", "complete": false, "results": [{"mutant": "mutants/a", "got": "killed"}]}`))
	in.Add("odd.json", []byte(`{"format": "shmbench list 1", "complete": true, "results": [{"name": "tas/tas", "class": "test-and-set", "max_procs": 8}, 7]}`))
	require.Len(t, in.Runs, 2, "what is whole in a file that is not is used")
	require.Equal(t, []float64{10.02e-9, 10.04e-9}, in.Runs[1].ranked.Tables[0].Rows[0].All["sec/op"][:2], "all lines but the one that is no measurement")
	require.Len(t, in.Checks, 1)
	page := plain(written(t, in))
	for _, want := range []string{
		"cut.txt: incomplete: cut off in the line BenchmarkPassage/", "nan.txt: incomplete: line 5: NaN ns/op is no measurement", "aa.txt: no benchmark results in it",
		"cut.json: broken off or damaged (unexpected EOF); 1 entries are used", `run.json: a document of the format "shmbench run 1" has nothing that is shown here`,
		"messages.json: a document of dmesim, which writes its pages itself: dmesim replay -o FILE.html, dmesim explore -o FILE.html", "part.json: says that it is not complete", "odd.json: 1 entries are not understood",
	} {
		require.Contains(t, page, want)
	}
}

func TestAModelIsNamedSo(t *testing.T) {
	in := new(Input)
	in.Add("m/p.txt", []byte("model: epyc\n"+text("", []int{1, 2}, map[string]float64{"tas-tas": 10, "cas-cas": 20})))
	in.Add("m/run.txt", []byte(text("A", []int{1, 2}, map[string]float64{"tas-tas": 10})))
	page := written(t, in)
	require.Contains(t, plain(page), "m/p: a model of epyc, not a measurement")
	require.Contains(t, page, `model" data-series="tas/tas"`)
	conclusions := in.conclusions()
	require.Len(t, conclusions, 1, "a model concludes nothing")
	require.Equal(t, "A, 2 cores", conclusions[0].Machine)
}

func TestMachinesAndVariants(t *testing.T) {
	in := new(Input)
	in.Add("a/run.txt", []byte(text("A", []int{1, 2}, map[string]float64{"tas-tas": 10, "tas-tas-packed": 30, "cas-cas": 20})))
	in.Add("b/run.txt", []byte(text("B", []int{1, 2}, map[string]float64{"tas-tas": 10.4, "tas-tas-packed": 30, "cas-cas": 5})))
	s := in.sideBySide(in.main(), in.Measured())
	require.Len(t, s.Blocks, 2)
	require.Len(t, s.Blocks[0].Figures, 2, "a chart a machine")
	flags, cells := map[string][]string{}, map[string][]string{}
	for _, row := range s.Blocks[1].Table.Rows {
		cells[row[0]], flags[row[0]] = row[1:5], row[5:]
	}
	require.Equal(t, []string{"20.1 [20.0, 20.2]", "5.10 [5.02, 5.16]", "-74.6%", "< 0.001"}, cells["Passage/alg=cas-cas/procs=1/cs=0/ncs=0"])
	require.Equal(t, []string{"less", "2, 1", "other rank"}, flags["Passage/alg=cas-cas/procs=1/cs=0/ncs=0"])
	require.Equal(t, []string{"", "1, 2", "other rank"}, flags["Passage/alg=tas-tas/procs=1/cs=0/ncs=0"], "four per cent are significant, and too few")
	v := in.variants(in.Measured(), "layout", "", "", "-packed", "-padded")
	require.Len(t, v.Blocks, 2)
	require.Equal(t, "tas/tas-packed", v.Blocks[0].Table.Rows[0][3])
	require.Equal(t, "more", v.Blocks[0].Table.Rows[0][7])
	require.Contains(t, string(v.Blocks[0].Figures[0]), `data-series="tas/tas-packed"`)
}

// A lock that is in no catalog has the specification that the file of results has.
func TestTheSpecificationOfAnOwnLock(t *testing.T) {
	const specification = `{"name":"mine/lock","class":"swap","min_procs":1,"max_procs":4,"claims":{"fcfs":true}}`
	const results = "BenchmarkPassage/alg=mine-lock/procs=1/cs=0/ncs=0 100 10 ns/op\n"
	in := new(Input)
	in.Add("x.txt", []byte("# lock/mine/lock: "+specification+"\n"+results))
	in.Add("y.txt", []byte("# lock/mine/lock: "+specification+"\n"+results))
	require.Empty(t, in.Missing)
	require.Len(t, in.Specs, 1)
	require.Equal(t, "mine/lock", in.Specs[0].Name)
	require.True(t, in.Specs[0].Claims.FCFS)
	require.Contains(t, plain(written(t, in)), "mine/lock")

	in = new(Input)
	in.Add("x.txt", []byte("# lock/mine/lock: nonsense\n"+results))
	require.Equal(t, []Missing{{File: "x.txt", What: "the specification of mine/lock is not understood"}}, in.Missing)
	require.Len(t, in.Runs, 1)
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	_, err := Read(t.Context(), nil)
	require.ErrorContains(t, err, "name the files")
	_, err = Read(t.Context(), []string{filepath.Join(dir, "none")})
	require.ErrorContains(t, err, "none")
	_, err = Read(t.Context(), []string{dir})
	require.EqualError(t, err, "nothing to report: no .txt or .json file is there")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "m"), 0o777))
	path := filepath.Join(dir, "m", "run.txt")
	require.NoError(t, os.WriteFile(path, []byte("words\n"), 0o666))
	_, err = Read(t.Context(), []string{dir})
	require.ErrorContains(t, err, "nothing to report: "+path)
	require.NoError(t, os.WriteFile(path, []byte(text("A", []int{1}, map[string]float64{"tas-tas": 10})), 0o666))
	in, err := Read(t.Context(), []string{dir, path})
	require.NoError(t, err)
	require.Len(t, in.Runs, 1)
}

// Many locks and many processes.
func TestAPageOfMuch(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		for n := 1; n <= 1024; n *= 4 {
			fmt.Fprintf(&b, "BenchmarkPassage/alg=family-lock%d/procs=%d/cs=0/ncs=0 100 %d ns/op\n", i, n, n+i)
		}
	}
	in := new(Input)
	in.Add("x.txt", []byte(b.String()))
	require.Less(t, len(written(t, in)), 2<<20)
}

// Whatever a file has in it, there is a page, and no markup of the file's in it.
func FuzzPage(f *testing.F) {
	f.Add([]byte(text("A", []int{1, 2}, map[string]float64{"tas-tas": 10})))
	f.Add([]byte("cores: 1e9\nBenchmarkPassage/alg=<b>/procs=0/cs=0/ncs=0 1 0 ns/op 1e308 p50-ns\n"))
	f.Add([]byte(`{"format": "shmbench check 1", "complete": true, "results": [{"algorithm": "<script>", "n": 2}]}`))
	f.Add(traces(lasso))
	f.Add([]byte(`{"format": "dmesim explore 1", "results": {"nodes": 2}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := new(Input)
		in.Add("x", data)
		var b strings.Builder
		require.NoError(t, in.WriteSteps(&b))
		require.Equal(t, 2, strings.Count(b.String(), "<script"))
		b.Reset()
		require.NoError(t, in.Write(&b))
		require.Equal(t, 2, strings.Count(b.String(), "<script"), "the script, and the executions")
	})
}

// What specifications tell can be chosen by, and only that.
func TestChoices(t *testing.T) {
	in := new(Input)
	all, _ := in.choices()
	require.Empty(t, all)
	in.Add("specs.json", []byte(`{"format": "shmbench list 1", "complete": true, "results": [
		{"name": "tas/tas", "family": "tas", "class": "test-and-set", "max_procs": 8, "modes": ["exclusive"], "bounded": true},
		{"name": "baseline/mutex", "family": "baseline", "class": "opaque", "max_procs": 8, "claims": {"starvation_free": true}},
		{"name": "bakery/lamport", "family": "bakery", "class": "read/write", "max_procs": 8, "claims": {"fcfs": true}, "space": [{"name": "number", "values": "unbounded"}]}]}`))
	all, known := in.choices()
	require.Equal(t, []choice{
		{"family", "Family", []string{"bakery", "baseline", "tas"}}, {"class", "Class", []string{"opaque", "read/write", "test-and-set"}},
		{"property", "Property", []string{"bounded space", "first come, first served", "starvation-free"}},
	}, all)
	require.Equal(t, []string{"bounded space"}, known["tas/tas"]["property"])
	require.Equal(t, []string{"starvation-free"}, known["baseline/mutex"]["property"], "nobody knows the registers of the runtime")
	require.Equal(t, []string{"first come, first served"}, known["bakery/lamport"]["property"])
}

// TestBoundedSpace: a lock has bounded space if all its registers are known, and their number and
// their values are bounded for every number of processes.
func TestBoundedSpace(t *testing.T) {
	two, more := shm.Const(2), shm.UpTo(2, shm.Const(2), shm.Formula{})
	for name, c := range map[string]struct {
		space   shm.Space
		bounded bool
	}{
		"bounded":                      {shm.Space{{Name: "q", Count: shm.N, Values: two}}, true},
		"no register is known":         {nil, false},
		"values that only grow":        {shm.Space{{Name: "q", Count: shm.N, Values: two}, {Name: "t", Count: two}}, false},
		"registers that only grow":     {shm.Space{{Name: "q", Values: two}}, false},
		"values bounded for two only":  {shm.Space{{Name: "q", Count: shm.N, Values: more}}, false},
		"registers bounded for two":    {shm.Space{{Name: "q", Count: more, Values: two}}, false},
		"bounded, and for two all are": {shm.Space{{Name: "q", Count: shm.UpTo(2, two, shm.N), Values: two}}, true},
	} {
		a := shm.Algorithm{Name: "a/b", MinProcs: 1, MaxProcs: 100, Space: c.space, New: func(int) (shm.Mutex, error) { return struct{ shm.Mutex }{}, nil }}
		listed, err := json.Marshal(bench.Specify(a))
		require.NoError(t, err)
		in := new(Input)
		in.Add("specs.json", []byte(`{"format": "shmbench list 1", "complete": true, "results": [`+string(listed)+`]}`))
		_, known := in.choices()
		require.Equal(t, c.bounded, slices.Contains(known["a/b"]["property"], "bounded space"), name)
	}
}

// Of stress there is a row a lock and a column an outcome, of the broken locks a row each,
// and both say in a line what it comes to; a verdict has its space, references and
// specification.
func TestTables(t *testing.T) {
	in := new(Input)
	in.Add("s.json", []byte(`{"format": "shmbench stress 1", "complete": true, "results": [
		{"algorithm": "tas/tas", "outcomes": [{"name": "passages", "grade": "acceptable", "count": 7}, {"name": "hung", "grade": "forbidden", "count": 0}]},
		{"algorithm": "a/b", "outcomes": [{"name": "passages", "grade": "acceptable", "count": 8}, {"name": "hung", "grade": "forbidden", "count": 1}, {"name": "starved", "grade": "forbidden", "count": 0}]}]}`))
	in.Add("m.json", []byte(`{"format": "shmbench stress 1", "complete": true, "results": [
		{"mutant": "mutants/a", "got": "killed", "oracle": "overlap", "procs": 2, "passages": 5, "as_expected": true},
		{"mutant": "mutants/b", "got": "nothing", "as_expected": false, "out_of_reach": "too rare"}]}`))
	in.Add("c.json", []byte(`{"format": "shmbench check 1", "complete": true, "results": [{"algorithm": "a/b", "n": 2, "bypass": 1, "exhausted": true, "states": 32,
		"registers": [{"name": "q", "count": 2, "values": 2}, {"name": "t", "count": 1, "unbounded": true}], "disagreements": ["starvation-free"],
		"rmr": {"cc_write_back": {"alone": 3, "among_n": 6}, "dsm": {"alone": 3, "among_n": -1}}}]}`))
	require.Empty(t, in.Missing)
	s := in.stress().Blocks[0]
	require.Equal(t, "1 of 2 locks had a forbidden outcome.", s.Note)
	require.Equal(t, table{[]string{"lock", "passages (acceptable)", "hung (forbidden)"}, [][]string{{"tas/tas", "7", ""}, {"a/b", "8", "1"}}}, s.Table)
	k := in.kills().Blocks[0]
	require.Equal(t, "1 of 2 were killed; 1 fared as they must.", k.Note)
	require.Equal(t, []string{"mutants/b", "", "", "nothing", "", "0", "0", "NO: too rare"}, k.Table.Rows[0])
	row := strings.Join(in.verdicts().Blocks[0].Table.Rows[0], "|")
	require.Contains(t, row, "|1|q: 2 of 2 values, t: 1 unbounded|3 alone, 6 among all|3 alone, unbounded among all|DISAGREES: starvation-free|32")
}

// Fields that earlier versions wrote in another form do not keep an entry from the page, and an
// unknown number of references is no number.
func TestEarlierForms(t *testing.T) {
	in := new(Input)
	in.Add("c.json", []byte(`{"format": "shmbench check 1", "complete": true, "results": [{"algorithm": "a/b", "n": 2, "seconds": 1.5, "undecided": ["fcfs"],
		"rmr": {"cc_write_back": {"alone": 3, "among_n": null}, "dsm": {"alone": 3, "among_n": 4}}}]}`))
	in.Add("s.json", []byte(`{"format": "shmbench stress 1", "complete": true, "results": [{"algorithm": "a/b", "procs": 4, "outcomes": [{"name": "passages", "grade": "acceptable", "count": 7}]}]}`))
	require.Empty(t, in.Missing)
	require.Contains(t, strings.Join(in.verdicts().Blocks[0].Table.Rows[0], "|"), "|3 alone, not known among all|3 alone, 4 among all|")
	require.Equal(t, [][]string{{"a/b", "7"}}, in.stress().Blocks[0].Table.Rows)
}

// A sweep has a chart of latency against load, in which a saturated lock ends, and ways
// of waiting one a lock.
func TestLoadAndWaiting(t *testing.T) {
	in := new(Input)
	var b strings.Builder
	b.WriteString("cpu: A\nUnit mean-ns better=lower\n")
	for range 3 {
		b.WriteString("BenchmarkPassage/alg=tas-tas/procs=2/cs=0/ncs=0/rate=1000 100 500000 ns/op 80 mean-ns 30 p50-ns 1 reached\n" +
			"BenchmarkPassage/alg=tas-tas/procs=2/cs=0/ncs=0/rate=2000 100 300000 ns/op 9000 mean-ns 400 p50-ns 0.5 reached\n")
	}
	in.Add("m/sweep.txt", []byte(b.String()))
	l := in.load(in.Measured()).Blocks
	require.Len(t, l, 2, "no file has a 99th percentile")
	require.Equal(t, "A (m/sweep), procs=2 cs=0 ncs=0, median latency", l[0].Title)
	require.Contains(t, l[0].Table.Rows[0][1], "30")
	require.Contains(t, l[1].Table.Rows[0][1], "80")
	reached := plottest.Marks(string(l[0].Figures[0]))
	require.Len(t, reached, 1, "only what was reached is drawn")
	require.Equal(t, "tas/tas", reached[0].Series)
	require.Equal(t, []string{"lock, ns", "2000/s", "4000/s"}, l[0].Table.Head)
	require.Contains(t, l[0].Table.Rows[0][2], "saturated: only 50% of the rate was reached")
	for _, policy := range []string{"busy", "pause-yield"} {
		in.Add("m/"+policy+".txt", []byte("wait: "+policy+"\n"+text("B", []int{1, 2, 4}, map[string]float64{"tas-tas": 10, "cas-cas": 20})))
	}
	w := in.waiting().Blocks
	require.Len(t, w, 1)
	require.Len(t, w[0].Figures, 2, "a chart a lock")
	require.Len(t, w[0].Table.Rows, 4)
	require.Equal(t, "m/pause-yield", in.main()[1].Label, "who waits as by default stands for the machine")
	require.Equal(t, "m/pause-yield", in.beginning(in.main()[1:]).Runs[0].Label)
	require.Len(t, in.beginning(in.main()[1:]).Runs, len(in.Runs))
}

// TestLengths: the chart of a sweep has a point for each length of a section but zero, which has
// no place on a logarithmic axis, and for each time but zero. The table has them all. A single
// point is no line, so it has no chart.
func TestLengths(t *testing.T) {
	in := new(Input)
	var b strings.Builder
	b.WriteString("cpu: A\n")
	for _, c := range []struct{ cs, ncs, mcs, ticket, none int }{{0, 0, 20, 30, 0}, {100, 0, 130, 150, 0}, {1000, 0, 1010, 1040, 0}, {0, 500, 70, 80, 0}} {
		for lock, ns := range map[string]int{"queue-mcs": c.mcs, "queue-ticket": c.ticket, "a-none": c.none} {
			fmt.Fprintf(&b, "BenchmarkPassage/alg=%s/procs=2/cs=%d/ncs=%d 100 %d ns/op\n", lock, c.cs, c.ncs, ns)
		}
	}
	in.Add("m/run.txt", []byte(b.String()))
	require.Empty(t, in.Missing)
	blocks := in.lengths("", "title", "", "", nil, critical).Blocks
	require.Len(t, blocks, 1)
	require.Equal(t, "A (m/run), 2 processes", blocks[0].Title)
	require.Equal(t, []string{"lock, ns", "0 ns", "100 ns", "1000 ns"}, blocks[0].Table.Head)
	require.Len(t, blocks[0].Table.Rows, 3)
	require.Equal(t, "queue/mcs", blocks[0].Table.Rows[1][0])
	require.Contains(t, blocks[0].Table.Rows[1][1], "20.0")
	drawn := map[string][]string{}
	for _, m := range plottest.Marks(string(blocks[0].Figures[0])) {
		drawn[m.Series] = append(drawn[m.Series], m.At+" "+m.Value)
	}
	require.Equal(t, map[string][]string{"queue/mcs": {"100 130", "1000 1010"}, "queue/ticket": {"100 150", "1000 1040"}}, drawn)
	require.Empty(t, in.lengths("", "title", "", "", nil, remainder).Blocks, "zero and one other length")
}

// TestDoubtfulRows: a table says which medians are doubtful. A lock without a time is left out,
// and those after it are not.
func TestDoubtfulRows(t *testing.T) {
	in := new(Input)
	line := func(lock, values string) string {
		return strings.Repeat("BenchmarkPassage/alg="+lock+"/procs=2/cs=0/ncs=0 100 "+values+"\n", 6)
	}
	in.Add("m/run.txt", []byte("cpu: A\ncores: 2\n"+line("a-none", "0 ns/op")+line("a-good", "20 ns/op 3 handoff-ns")+line("a-doubtful", "10 ns/op 4 handoff-ns 3 least-passages")))
	require.Empty(t, in.Missing)
	s := in.ordered(in.main()).Blocks
	require.Len(t, s, 1)
	require.Equal(t, table{}, s[0].Table, "the chart has the values")
	drawn := map[string]string{}
	for _, m := range plottest.Marks(string(s[0].Figures[0])) {
		drawn[m.Series] = m.At
	}
	require.Len(t, drawn, 2)
	b, ok := in.Runs[0].block(measure{unit: "sec/op", scale: 1e9, log: true}, []int{0}, nil)
	require.True(t, ok)
	cells := map[string]string{}
	for _, row := range b.Table.Rows {
		cells[row[0]] = row[1]
	}
	require.Equal(t, "20.0 [20.0, 20.0]", cells["a/good"])
	require.Contains(t, cells["a/doubtful"], "10.0 [10.0, 10.0], doubtful: ")
	require.NotContains(t, cells["a/none"], "doubtful")
	require.Equal(t, "Points that are 0, and so not on the logarithmic axis: 1. See the table.", b.Note)
	require.ElementsMatch(t, []string{"a/none", "a/good", "a/doubtful"}, in.chosen(in.main()), "each name once")
}

// TestOrderedChart: the chart of many locks has the best 30 and the worst, and the table has all.
func TestOrderedChart(t *testing.T) {
	in := new(Input)
	locks := map[string]float64{}
	for i := range 34 {
		locks[fmt.Sprintf("a-lock%02d", i)] = float64(10 + i)
	}
	in.Add("m/run.txt", []byte(text("A", []int{1, 2, 8}, locks)))
	s := in.ordered(in.main()).Blocks
	require.Len(t, s, 3)
	require.Equal(t, "A, 2 cores (m/run), 2 processes", s[0].Title, "a process a core comes first")
	require.Equal(t, "The chart leaves out 3 locks before the last: see the table.", s[0].Note)
	require.Len(t, s[0].Table.Rows, 34)
	require.Equal(t, []string{"a/lock00", "20.1 [20.0, 20.2]", "11"}, s[0].Table.Rows[0])
	figure := string(s[0].Figures[0])
	for i := range 34 {
		require.Equal(t, i < 30 || i == 33, strings.Contains(figure, fmt.Sprintf("a/lock%02d", i)), i)
	}
	samples := in.distributions(in.main()).Blocks
	require.Len(t, samples, 2, "a process a core, and the most processes")
	require.Equal(t, "A, 2 cores (m/run), 8 processes", samples[1].Title)
	require.Empty(t, samples[0].Table.Rows)
}

// TestFrontOfCosts: a lock is on the front if no quicker one is as fair.
func TestFrontOfCosts(t *testing.T) {
	in := new(Input)
	line := func(lock string, ns int, jain float64) string {
		return strings.Repeat(fmt.Sprintf("BenchmarkPassage/alg=%s/procs=2/cs=0/ncs=0 100 %d ns/op %g jain-short\n", lock, ns, jain), 6)
	}
	in.Add("m/run.txt", []byte("cpu: A\ncores: 2\n"+line("a-first", 10, 0.5)+line("a-same", 20, 0.5)+line("a-fairer", 30, 0.9)+line("a-less", 40, 0.7)+line("a-fairest", 50, 1)+
		strings.ReplaceAll(line("a-one", 5, 1), "procs=2", "procs=1")))
	s := in.tradeoff(in.main(), nil).Blocks
	require.Len(t, s, 1, "one process is always fair")
	front := map[string]string{}
	for _, row := range s[0].Table.Rows {
		front[row[0]] = row[3]
	}
	require.Equal(t, map[string]string{"a/first": "on the front", "a/same": "", "a/fairer": "on the front", "a/less": "", "a/fairest": "on the front"}, front)
}

// The row on how quiet the machine was says which columns are of a model.
func TestAModelIsNoMeasurement(t *testing.T) {
	in := new(Input)
	in.Add("x.txt", []byte("BenchmarkPassage/alg=tas-tas/procs=1/cs=0/ncs=0 100 10 ns/op\n"))
	modeled := *in.Runs[0]
	modeled.Model = "epyc-7742"
	require.Equal(t, []string{"quiet", "not a measurement", "whether the machine was quiet is not recorded."}, described([]*Run{&modeled, in.Runs[0]}).Rows[0])
}

func TestIsPage(t *testing.T) {
	for text, page := range map[string]bool{
		"":                             false,
		"<!doctype html><title>x":      true,
		"\n  <!DOCTYPE HTML>":          true,
		"BenchmarkPassage":             false,
		"x <!doctype html>":            false,
		strings.Repeat("x", 100) + "y": false,
	} {
		require.Equal(t, page, isPage([]byte(text)), text)
	}
}
