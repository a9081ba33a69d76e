package bibtex_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/catalog/knownbroken"
	"shmbench/cmd/shmbench/bibtex"
	"shmbench/shm"
)

// entry is what parse reads of an entry.
type entry struct {
	kind, key string
	fields    map[string]string
}

var (
	opening = regexp.MustCompile(`^@([a-z]+)\{([a-z0-9]+),\n`)
	naming  = regexp.MustCompile(`^  ([a-z]+) = \{`)
)

// required are the fields that BibTeX's standard styles demand of each type.
var required = map[string][]string{
	"article":       {"author", "title", "journal", "year"},
	"inproceedings": {"author", "title", "booktitle", "year"},
	"misc":          {"title"},
}

// parse reads one entry. It refuses braces that do not match, fields that appear twice,
// fields that the type needs and that are missing, and characters that TeX would not
// print.
func parse(text string) (*entry, error) {
	m := opening.FindStringSubmatch(text)
	if m == nil {
		return nil, fmt.Errorf("no entry begins here: %.40q", text)
	}
	e := &entry{kind: m[1], key: m[2], fields: map[string]string{}}
	if required[e.kind] == nil {
		return nil, fmt.Errorf("there is no type %q", e.kind)
	}
	text = text[len(m[0]):]
	for text != "}\n" {
		m := naming.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("no field begins here: %.40q", text)
		}
		text = text[len(m[0]):]
		end, err := closing(text)
		if err != nil {
			return nil, fmt.Errorf("field %s: %v", m[1], err)
		}
		if _, twice := e.fields[m[1]]; twice {
			return nil, fmt.Errorf("the field %s appears twice", m[1])
		}
		e.fields[m[1]] = text[:end]
		rest, ok := strings.CutPrefix(text[end:], "},\n")
		if !ok {
			return nil, fmt.Errorf("field %s: no comma and line end behind it", m[1])
		}
		text = rest
	}
	for _, f := range required[e.kind] {
		if e.fields[f] == "" {
			return nil, fmt.Errorf("%s needs the field %s", e.kind, f)
		}
	}
	return e, nil
}

// closing returns where the brace is that ends a value.
func closing(text string) (int, error) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '{':
			depth++
		case c == '}' && depth == 0:
			return i, nil
		case c == '}':
			depth--
		case strings.IndexByte("&%$#_\n", c) >= 0:
			return 0, fmt.Errorf("%q must be escaped", c)
		}
	}
	return 0, fmt.Errorf("its brace is not closed")
}

func TestEverySourceIsAnEntry(t *testing.T) {
	var all []shm.Algorithm
	all = append(all, catalog.All()...)
	for _, l := range knownbroken.All() {
		all = append(all, l.Algorithm)
	}
	keys := map[string]shm.Source{}
	for _, a := range all {
		e, err := parse(bibtex.Entry(a.Source))
		require.NoError(t, err, "%s:\n%s", a.Name, bibtex.Entry(a.Source))
		require.Equal(t, bibtex.Key(a.Source), e.key)
		if old, ok := keys[e.key]; ok {
			require.Equal(t, old.Title, a.Source.Title, "two sources have the key %s", e.key)
		}
		keys[e.key] = a.Source
	}
}

func TestEntry(t *testing.T) {
	require.Equal(t, `@inproceedings{scott2001scalable,
  author = {Michael L. Scott and Scherer, III, William N.},
  title = {{Scalable Queue-Based Spin Locks with Timeout}},
  booktitle = {8th ACM Symposium on Principles \& Practice},
  year = {2001},
  pages = {44--52},
}
`, bibtex.Entry(shm.Source{
		Author: "Michael L. Scott and William N. Scherer III", Title: "Scalable Queue-Based Spin Locks with Timeout",
		Venue: "8th ACM Symposium on Principles & Practice", Year: 2001, Page: "44-52"}))
	require.Equal(t, `@misc{buhr2024szymanskic,
  author = {Peter A. Buhr},
  title = {{Szymanski.c}},
  howpublished = {github.com/a\_b},
  year = {2024},
  note = {After Bolesław K. Szymański},
}
`, bibtex.Entry(shm.Source{Author: "Peter A. Buhr, after Bolesław K. Szymański", Title: "Szymanski.c", Venue: "github.com/a_b", Year: 2024}))
	require.Contains(t, bibtex.Entry(shm.Source{Author: "A. B", Title: "C", Venue: "ACM TOCS 9(1)", Year: 1991}),
		"journal = {ACM TOCS},\n  volume = {9},\n  number = {1},")
}

func TestTheParserRefuses(t *testing.T) {
	good := bibtex.Entry(shm.Source{Author: "A. B", Title: "C", Venue: "D 1(2)", Year: 1991})
	_, err := parse(good)
	require.NoError(t, err)
	for _, change := range [][2]string{{"{C}", "{C"}, {"journal", "magazine"}, {"@article", "@paper"}, {"A. B", "A & B"}, {"year", "author"}, {"},\n}", "}\n}"}, {"b1991c", "b 1991"}} {
		bad := strings.Replace(good, change[0], change[1], 1)
		require.NotEqual(t, good, bad)
		_, err := parse(bad)
		require.Error(t, err, bad)
	}
}

// TestEntries: a source that is cited twice has one entry, and entries are in the order of the sources.
func TestEntries(t *testing.T) {
	a := shm.Source{Author: "Ann Author", Title: "Locks", Venue: "Journal 1(2)", Year: 2001, Page: "3–5"}
	b := shm.Source{Author: "The Go team", Title: "On the sync package", Venue: "Web page"}
	require.Empty(t, bibtex.Entries(nil))
	require.Equal(t, "@article{author2001locks,\n  author = {Ann Author},\n  title = {{Locks}},\n  journal = {Journal},\n  volume = {1},\n  number = {2},\n  year = {2001},\n  pages = {3--5},\n}\n"+
		"@misc{team0on,\n  author = {{The Go team}},\n  title = {{On the sync package}},\n  howpublished = {Web page},\n}\n", bibtex.Entries([]shm.Source{a, b, a}))
	require.Equal(t, "0", bibtex.Key(shm.Source{}))
}
