package mutants

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"shmbench/catalog"
	"shmbench/internal/build/edit"
	"shmbench/shm"
	"shmbench/shm/register"
)

//go:embed *.txt
var texts embed.FS

// edited is how the source of a mutant is made.
type edited struct {
	spec, file string
	own        bool // the specification or the file is the mutant's, and not its lock's
	released   bool
	edits      []edit.Edit
}

// kinds are the blocks of a text file: a block "lock" is followed by one for each mutant
// of the lock.
var kinds = map[string][]string{
	"lock":   {"spec", "file"},
	"mutant": {"edit", "verdict", "crashes", "broken", "stores", "spec", "file", "class", "space", "hardware"},
}

// fromText returns the mutants of the text files. They are part of the program, and so are
// their errors.
var fromText = sync.OnceValue(func() []Mutant {
	names, err := fs.Glob(texts, "*.txt")
	if err != nil {
		panic(err)
	}
	var all []Mutant
	for _, name := range names {
		text, err := texts.ReadFile(name)
		if err != nil {
			panic(err)
		}
		of, err := parse("mutants/"+name, string(text))
		if err != nil {
			panic(err)
		}
		all = append(all, of...)
	}
	return all
})

// parse reads a text file.
func parse(file, text string) ([]Mutant, error) {
	blocks, err := edit.Blocks(file, text, kinds)
	if err != nil {
		return nil, err
	}
	var all []Mutant
	var lock edit.Block
	for _, b := range blocks {
		switch {
		case b.Fields[0].Name == "lock":
			lock = b
			continue
		case lock.Fields == nil:
			return nil, b.Errorf("mutant", "expected a block that begins with \"lock:\" before the first mutant")
		}
		m, err := entry(lock, b)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// entry returns the mutant of a block, of a lock.
func entry(lock, b edit.Block) (m Mutant, err error) {
	m = Mutant{Of: lock.Get("lock"), Broken: b.Get("broken"), Crashes: b.Get("crashes"), OutOfReach: b.Get("hardware")}
	m.edited = edited{
		spec:     cmp.Or(b.Get("spec"), lock.Get("spec")),
		file:     cmp.Or(b.Get("file"), lock.Get("file")),
		own:      b.Get("spec")+b.Get("file") != "",
		released: b.Get("stores") == "released",
	}
	if m.Broken == "" {
		return m, b.Errorf("mutant", "expected a field \"broken\": one sentence that says what is different")
	}
	if s := b.Get("stores"); s != "" && s != "released" {
		return m, b.Errorf("stores", "%q: expected \"released\", or no such field", s)
	}
	if m.edited.edits, err = b.Edits(); err != nil {
		return m, err
	}
	if len(m.edited.edits) == 0 {
		return m, b.Errorf("mutant", "expected a field \"edit\"")
	}
	for _, e := range m.edited.edits {
		m.Edits = append(m.Edits, e.String())
	}
	if m.Verdict, m.Procs, err = verdict(b); err != nil {
		return m, err
	}
	if m.Algorithm, err = m.spec(b.Get("mutant")); err != nil {
		return m, lock.Errorf("lock", "%v", err)
	}
	if err := m.differences(b); err != nil {
		return m, err
	}
	if m.Crashes != "" && m.OutOfReach == "" {
		m.OutOfReach = "it shows its fault only where processes crash"
	}
	if m.edited.released && !register.Unfenced && m.OutOfReach == "" {
		m.OutOfReach = "a released store has its fence in this program"
	}
	return m, nil
}

// verdict reads the field "verdict: deadlock at n = 2".
func verdict(b edit.Block) (Verdict, int, error) {
	name, at, _ := strings.Cut(b.Get("verdict"), " at n = ")
	n, err := strconv.Atoi(at)
	v := Verdict(name)
	known := slices.Contains([]Verdict{Safety, Deadlock, Starvation, Equivalent}, v) || slices.Contains(Claims, v.Claim())
	if known && err == nil && n >= 1 {
		return v, n, nil
	}
	return "", 0, b.Errorf("verdict", "%q: expected \"safety at n = 2\", or deadlock, starvation, equivalent or \"loses CLAIM\", and the least n at which it shows; "+
		"a CLAIM is one of: %s", b.Get("verdict"), strings.Join(Claims, ", "))
}

// ofCatalog has the locks of the catalog by their names. The catalog is listed once for all mutants:
// once for each takes most of a second.
var ofCatalog = sync.OnceValue(func() map[string]shm.Algorithm {
	byName := map[string]shm.Algorithm{}
	for _, a := range catalog.All() {
		byName[a.Name] = a
	}
	return byName
})

// spec returns the correct lock's specification under the mutant's name.
func (m *Mutant) spec(name string) (shm.Algorithm, error) {
	a, ok := ofCatalog()[m.Of]
	if !ok {
		return catalog.Get(m.Of) // the error names a similar lock
	}
	a.Name, a.Title, a.VariantOf = "mutants/"+name, a.Title+": "+m.Broken, ""
	a.Layout, a.Stores, a.Invariants, a.New = shm.Packed, shm.Sequential, nil, nil
	if m.edited.released {
		a.Stores = shm.Released
		if variant, ok := ofCatalog()[m.Of+"-released"]; ok {
			a.Claims, a.Class, a.Space = variant.Claims, variant.Class, variant.Space
		}
	}
	a.Claims.References = shm.References{} // an edit may change how many there are, and break nothing
	if m.Procs < a.MinProcs || m.Procs > a.MaxProcs {
		return a, fmt.Errorf("mutant %s: n = %d: expected %d to %d, which the lock allows", name, m.Procs, a.MinProcs, a.MaxProcs)
	}
	return a, nil
}

// differences reads the fields "class" and "space": what the edit changes of them.
func (m *Mutant) differences(b edit.Block) error {
	if text := b.Get("class"); text != "" {
		c, ok := class(text)
		if !ok {
			return b.Errorf("class", "%q: expected \"read/write\", or operations such as \"swap+compare-and-swap\"", text)
		}
		m.Class = c
	}
	text := b.Get("space")
	if text == "" {
		return nil
	}
	m.Space, m.OtherSpace = slices.Clone(m.Space), true
	for change := range strings.SplitSeq(text, ", ") {
		name, values, _ := strings.Cut(change, " ")
		if name == "no" {
			name = values
		}
		i := slices.IndexFunc(m.Space, func(k shm.Registers) bool { return k.Name == name })
		f, ok := formula(values)
		switch {
		case i < 0:
			return b.Errorf("space", "%q: the lock has no registers %q: expected \"NAME VALUES\" or \"no NAME\", and a comma between two", change, name)
		case name == values:
			m.Space = slices.Delete(m.Space, i, i+1)
		case !ok:
			return b.Errorf("space", "%q: expected a number of values, \"n\", \"n-1\", \"n+1\", \"2n+1\" or \"unbounded\"", change)
		default:
			m.Space[i].Values = f
		}
	}
	return nil
}

// formula reads a number of values.
func formula(text string) (shm.Formula, bool) {
	twoEach := shm.Formula{Text: "2n+1", At: func(n int) int { return 2*n + 1 }}
	for _, f := range []shm.Formula{shm.N, shm.NMinus1, shm.NPlus1, twoEach, {}} {
		if f.String() == text {
			return f, true
		}
	}
	n, err := strconv.Atoi(text)
	return shm.Const(n), err == nil
}

// class reads an operation class.
func class(text string) (shm.Class, bool) {
	var c shm.Class
	for name := range strings.SplitSeq(text, "+") {
		i := slices.IndexFunc(shm.Classes(), func(c shm.Class) bool { return c.String() == name })
		if i < 0 {
			return c, false
		}
		c |= shm.Classes()[i]
	}
	return c, true
}
