package cli

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLists: the values of flags that are lists of numbers or a percentage, as they are read and written.
func TestLists(t *testing.T) {
	for _, c := range []struct {
		value flag.Value
		text  string
		want  any // of Get
		shown string
		err   string
	}{
		{new(IntList), "4, 1,2,4", []int{1, 2, 4}, "1,2,4", ""},
		{new(IntList), "1,x", nil, "", `"x" is not a whole number; a list is like 1,2,4`},
		{new(IntList), "", nil, "", `"" is not a whole number; a list is like 1,2,4`},
		{new(IntList), "99999999999999999999", nil, "", `strconv.Atoi: parsing "99999999999999999999": value out of range`},
		{new(Numbers[int]), "4, 1,-2", []int{4, 1, -2}, "4,1,-2", ""},
		{new(Numbers[int]), "1.5", nil, "", `"1.5" is not a whole number; a list is like 1,2,4`},
		{new(Numbers[int]), "1,2,1", nil, "", "1 is named twice"},
		{new(Numbers[float64]), "1.5,0.25", []float64{1.5, 0.25}, "1.5,0.25", ""},
		{new(Numbers[float64]), "1.5,x", nil, "", `"x" is not a number; a list is like 1,2,4`},
		{new(Numbers[float64]), "NaN", nil, "", `"NaN" is not a number; a list is like 1,2,4`},
	} {
		if err := c.value.Set(c.text); c.err != "" {
			require.EqualError(t, err, c.err, c.text)
			continue
		} else {
			require.NoError(t, err, c.text)
		}
		require.Equal(t, c.want, c.value.(flag.Getter).Get())
		require.Equal(t, c.shown, c.value.String())
		require.NoError(t, c.value.Set("3"))
		require.Equal(t, "3", c.value.String(), "a new list takes the place of the old one")
	}
	require.Equal(t, "1,2,3", Joined([]int{1, 2, 3}))
	require.Empty(t, Joined([]string(nil)))
}

// TestPercentage: a percentage has its sign, and is at most a million.
func TestPercentage(t *testing.T) {
	for text, want := range map[string]float64{"5%": 0.05, "0%": 0, "0.5%": 0.005, "1000000%": 1e4} {
		var p Percentage
		require.Empty(t, p.String())
		require.NoError(t, p.Set(text))
		require.Equal(t, Percentage{want, true}, p)
		require.Equal(t, map[bool]string{true: "1e+06%", false: text}[text == "1000000%"], p.String())
	}
	for _, text := range []string{"", "%", "5", "-1%", "1000001%", "NaN%", "Inf%", "x%"} {
		var p Percentage
		require.EqualError(t, p.Set(text), "a percentage is like 5%, and not negative", text)
		require.Equal(t, Percentage{}, p)
	}
}

// TestNames: a name or a regular expression chooses from a list; the error of one that chooses nothing says what would be right.
func TestNames(t *testing.T) {
	same := func(s string) string { return s }
	l := Named[string]{Kind: "lock", All: []string{"tas/tas", "tas/ttas", "queue/mcs"}, Name: same, List: "list shows them"}
	for expr, want := range map[string][]string{
		"tas/tas": {"tas/tas"}, "tas": {"tas/tas", "tas/ttas"}, "^queue/": {"queue/mcs"}, "mcs|ttas": {"tas/ttas", "queue/mcs"}, "": l.All,
	} {
		got, err := l.Match(expr)
		require.NoError(t, err, expr)
		require.Equal(t, want, got, expr)
	}
	got, err := l.Get("queue/mcs")
	require.NoError(t, err)
	require.Equal(t, "queue/mcs", got)

	elsewhere := l
	elsewhere.Flag = "lock"
	elsewhere.Elsewhere = func(re *regexp.Regexp) string {
		if re.MatchString("dist/token") {
			return "dist/token is elsewhere"
		}
		return ""
	}
	short := l
	short.List = ""
	for _, c := range []struct {
		list       Named[string]
		name       string
		match, get string
	}{
		{l, "queue/mcx", `-alg queue/mcx: no lock matches; did you mean "queue/mcs"?`, `queue/mcx: there is no lock of this name; did you mean "queue/mcs"?`},
		{l, "mcx", `-alg mcx: no lock matches; did you mean "queue/mcs"?`, `mcx: there is no lock of this name; did you mean "queue/mcs"?`},
		{l, "queeu", `-alg queeu: no lock matches; did you mean "queue/mcs"?`, `queeu: there is no lock of this name; did you mean "queue/mcs"?`},
		{l, "bakery", "-alg bakery: no lock matches; list shows them", "bakery: there is no lock of this name; list shows them"},
		{short, "bakery", "-alg bakery: no lock matches; there are tas/tas, tas/ttas, queue/mcs", "bakery: there is no lock of this name; there are tas/tas, tas/ttas, queue/mcs"},
		{l, "tas/tas,queue/mcs", "-alg tas/tas,queue/mcs: names are no longer listed with commas: write a regular expression, 'tas/tas|queue/mcs'",
			"tas/tas,queue/mcs: there is no lock of this name; list shows them"},
		{l, "(", "-alg (: this is no regular expression: missing closing )", "'(': there is no lock of this name; list shows them"},
		{elsewhere, "token", "-lock token: no lock matches; dist/token is elsewhere", "token: there is no lock of this name; dist/token is elsewhere"},
		{elsewhere, "oken", "-lock oken: no lock matches; dist/token is elsewhere", "oken: there is no lock of this name; list shows them"},
		{elsewhere, "bakery", "-lock bakery: no lock matches; list shows them", "bakery: there is no lock of this name; list shows them"},
	} {
		matched, err := c.list.Match(c.name)
		require.EqualError(t, err, c.match)
		require.Empty(t, matched)
		_, err = c.list.Get(c.name)
		require.EqualError(t, err, c.get)
	}
}

// TestOfValue: an error about a value names the flag once and the value once.
func TestOfValue(t *testing.T) {
	for said, want := range map[string]string{
		"it is late":         "-o f: it is late",
		"-o f: it is late":   "-o f: it is late",
		"-out f: it is late": "-o f: -out f: it is late",
		"f: it is late":      "-o f: it is late",
		`o "f": it is late`:  "-o f: it is late",
		`o "g": it is late`:  `-o f: o "g": it is late`,
		`o "f": f: it is so`: "-o f: it is so",
	} {
		require.EqualError(t, OfValue("o", "f", errText(said)), want)
	}
	require.NoError(t, OfValue("o", "f", nil))
}

// TestEnding: the name of a file must have the ending.
func TestEnding(t *testing.T) {
	fs := flag.NewFlagSet("verb", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.String("o", "", "a file")
	Ending(fs, "o", ".html")
	require.NoError(t, fs.Parse([]string{"-o", "a.html"}))
	require.ErrorContains(t, fs.Parse([]string{"-o", "a.htm"}), "the ending must be .html")
}

// TestUsualFlags: flags that several programs have, with their defaults.
func TestUsualFlags(t *testing.T) {
	fs := flag.NewFlagSet("verb", flag.ContinueOnError)
	alg, asJSON, seed := "x", true, uint64(7)
	AlgFlag(fs, &alg)
	JSONFlag(fs, &asJSON)
	SeedFlag(fs, &seed)
	require.Equal(t, []any{"", false, uint64(1)}, []any{alg, asJSON, seed})
	require.NoError(t, fs.Parse([]string{"-seed", "3", "-alg", "a|b", "-json"}))
	require.Equal(t, []any{"a|b", true, uint64(3)}, []any{alg, asJSON, seed})
	require.Equal(t, "prog verb -alg='a|b' -json=true -seed=3 f 'it is'", CommandLine("prog", fs, "f", "it is"))
}

// TestWriteFile: a file that lacks something says so, and a file is whole or not there.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, text string
		missing    error
		want       string
	}{
		{"a.txt", "text\n", nil, "text\n"},
		{"b.txt", "text\n", errors.New("2 < 3"), "text\n\nincomplete: 2 < 3\n"},
		{"c.svg", "<svg></svg>\n", nil, "<svg></svg>\n"},
		{"d.svg", "<svg></svg>\n", errors.New("2 < 3"), "<svg><text x=\"4\" y=\"12\" font-size=\"10\" fill=\"red\">incomplete: 2 &lt; 3</text>\n</svg>\n"},
		{"e.json", "{}\n", errors.New("2 < 3"), "{}\n"},
	} {
		name := filepath.Join(dir, c.name)
		require.NoError(t, WriteFile(name, c.missing, func(w io.Writer) error { _, err := io.WriteString(w, c.text); return err }))
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, c.want, string(text), c.name)
	}
	failing := func(w io.Writer) error { return io.ErrShortWrite }
	require.ErrorIs(t, WriteFile(filepath.Join(dir, "f"), nil, failing), io.ErrShortWrite)
	require.NoFileExists(t, filepath.Join(dir, "f"))
	require.ErrorIs(t, WriteFile(filepath.Join(dir, "a.txt"), nil, failing), io.ErrShortWrite)
	require.FileExists(t, filepath.Join(dir, "a.txt"), "the file of before is left")
	require.ErrorIs(t, WriteFile(filepath.Join(dir, "no", "f"), nil, func(io.Writer) error { return nil }), os.ErrNotExist)
}

// TestWritePage: the diagnostics name the page and its size, rounded up.
func TestWritePage(t *testing.T) {
	t.Chdir(t.TempDir())
	for size, says := range map[int]string{0: "0", 1: "1", 1000: "1", 1001: "2"} {
		var diag bytes.Buffer
		require.NoError(t, WritePage(&diag, "page.html", func(w io.Writer) error { _, err := w.Write(make([]byte, size)); return err }))
		require.Equal(t, "page.html: a page of "+says+" kB: open it in a browser\n", diag.String())
		info, err := os.Stat("page.html")
		require.NoError(t, err)
		require.EqualValues(t, size, info.Size())
	}
	var diag bytes.Buffer
	require.ErrorIs(t, WritePage(&diag, "f", func(io.Writer) error { return io.ErrShortWrite }), io.ErrShortWrite)
	require.ErrorIs(t, WritePage(&diag, "no/f", func(io.Writer) error { return nil }), os.ErrNotExist)
	require.Empty(t, diag.String())
	require.NoFileExists(t, "f")
	require.ErrorIs(t, WritePage(broken{io.ErrShortWrite}, "page.html", func(io.Writer) error { return nil }), io.ErrShortWrite)
}

// TestWriteJSON: the document has its format, and whether it is complete.
func TestWriteJSON(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteJSON(&out, "prog", "run", true, []int{1}))
	require.Equal(t, "{\n  \"format\": \"prog run 1\",\n  \"complete\": true,\n  \"results\": [\n    1\n  ]\n}\n", out.String())
	out.Reset()
	require.NoError(t, WriteSourced(&out, "a 1", false, nil, map[string]string{"f.go": "text"}))
	require.Equal(t, "{\n  \"format\": \"a 1\",\n  \"complete\": false,\n  \"results\": null,\n  \"sources\": {\n    \"f.go\": \"text\"\n  }\n}\n", out.String())
}

// TestOutput: standard output is made printable, remembers its error, and takes nothing more once it is closed.
func TestOutput(t *testing.T) {
	var text bytes.Buffer
	o := &output{w: &text}
	require.Same(t, &text, o.Unwrap())
	n, err := o.Write([]byte("a\x1b[K\n\tb"))
	require.NoError(t, err)
	require.Equal(t, 7, n)
	require.Equal(t, "a\uFFFD[K\n\tb", text.String())
	begun, err := o.close()
	require.NoError(t, err)
	require.True(t, begun)
	n, err = o.Write([]byte("more"))
	require.NoError(t, err)
	require.Equal(t, 4, n)
	require.Equal(t, "a\uFFFD[K\n\tb", text.String())

	begun, err = (&output{w: &text}).close()
	require.NoError(t, err)
	require.False(t, begun)

	failing := &output{w: broken{io.ErrShortWrite}}
	n, err = failing.Write([]byte("more"))
	require.ErrorIs(t, err, io.ErrShortWrite)
	require.Zero(t, n)
	failing.w = &text
	_, err = failing.Write([]byte("more"))
	require.ErrorIs(t, err, io.ErrShortWrite, "nothing is written behind a gap")
	_, err = failing.close()
	require.ErrorIs(t, err, io.ErrShortWrite)

	gone := &output{w: broken{syscall.EPIPE}}
	n, err = gone.Write([]byte("more"))
	require.NoError(t, err, "a reader that has gone is no error")
	require.Equal(t, 4, n)
	_, err = gone.close()
	require.NoError(t, err)
}
