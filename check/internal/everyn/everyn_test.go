package everyn

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/source"
	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// builderOf returns a builder of a lock of the catalog.
func builderOf(t *testing.T, name string) *source.Builder {
	t.Helper()
	pkg, err := source.OpenFor(t.Context(), catalog.Path, []shm.Algorithm{{Name: name}})
	require.NoError(t, err)
	i := slices.IndexFunc(catalog.All(), func(a shm.Algorithm) bool { return a.Name == name })
	return source.NewBuilder(pkg.Algorithm("All", catalog.All()[i]), source.NewMachines(0))
}

// proofOf proves a lock.
func proofOf(t *testing.T, name string) *Proof {
	t.Helper()
	p, err := Prove(t.Context(), builderOf(t, name))
	require.NoError(t, err)
	require.Empty(t, p.Why, name)
	return p
}

// TestViewsHaveEveryState: each state of a few processes, as the template makes them one by one,
// has only views that the proof has.
func TestViewsHaveEveryState(t *testing.T) {
	sizes := map[string]int{"tas/tas": 5, "cas/testfirst": 4, "burns/onebit": 3, "burns/burnslynch": 3}
	if sample.All() {
		sizes = map[string]int{"tas/tas": 5, "cas/testfirst": 5, "burns/onebit": 4, "burns/burnslynch": 4, "dijkstra/knuth": 3,
			"dijkstra/debruijn": 3, "dijkstra/eisenbergmcguire": 3, "dijkstra/dijkstra": 3, "burns/roundrobin": 3}
	}
	for name, n := range sizes {
		p := proofOf(t, name)
		last := p.Levels[len(p.Levels)-1]
		for n := last.Size; n <= sizes[name]; n++ {
			lacks, states := lacking(p.Template, last, n)
			require.Empty(t, lacks, "%s, n=%d", name, n)
			require.Greater(t, states, 5, name)
		}
		require.Greater(t, n, last.Size, name)
		last.Views = slices.DeleteFunc(last.Views, func(v View) bool { return p.Template.Locations[v[p.Template.layout().member(1)]].Critical })
		lacks, _ := lacking(p.Template, last, n)
		require.Contains(t, lacks, "critical section", "%s without the views of a critical section", name)
	}
}

// lacking visits the states of n processes, and describes a view of one of them that is not in a
// level, if there is one.
func lacking(t *Template, in Level, n int) (view string, states int) {
	known := map[View]bool{}
	for _, v := range in.Views {
		known[v] = true
	}
	lay := t.layout()
	initial := t.initial(n, true)[0]
	seen, queue := map[View]bool{initial: true}, []View{initial}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, w := range viewsOf(lay, v, n, in.Size) {
			if !known[w] {
				return t.describe(w), len(seen)
			}
		}
		for m := range n {
			if w := t.after(v, m, n); !seen[w] {
				seen[w] = true
				queue = append(queue, w)
			}
		}
	}
	return "", len(seen)
}

// viewsOf returns the views of so many processes of a state.
func viewsOf(lay layout, v View, members, size int) (all []View) {
	if members == size {
		return []View{v}
	}
	for m := range members {
		all = append(all, viewsOf(lay, lay.drop(v, m), members-1, size)...)
	}
	return all
}

// after returns the state after the step of process m, by the ids that the state has.
func (t *Template) after(v View, m, n int) View {
	id := func(b byte) int {
		if b < refBase {
			return noID
		}
		return int(b-refBase) / 2
	}
	valueOf := func(b byte) value {
		if b < refBase {
			return value{int(b), noID}
		}
		return value{-1, id(b)}
	}
	begin := t.layout().member(m)
	at := t.Locations[v[begin]]
	cursor := id(v[begin+1])
	cell := -1
	switch at.Access.At {
	case AtShared:
		cell = at.Access.Register
	case AtOwn:
		cell = begin + 2 + at.Access.Register
	case AtCursor:
		cell = t.layout().member(cursor) + 2 + at.Access.Register
	}
	read := value{0, noID}
	if cell >= 0 {
		read = valueOf(v[cell])
	}
	next := []byte(v)
	r := at.rule(read, m)
	switch r.Write {
	case Unchanged:
	case OwnID:
		next[cell] = refTo(m)
	case CursorID:
		next[cell] = refTo(cursor)
	default:
		next[cell] = byte(r.Write)
	}
	for _, target := range r.Goto {
		if to, ok := target.Cursor.find(origin{n, m, cursor, read.id}); ok {
			next[begin], next[begin+1] = byte(target.Location), noRef
			if to != noID {
				next[begin+1] = refTo(to)
			}
			return View(next)
		}
	}
	panic(fmt.Sprint("no target: ", t.describe(v)))
}

// TestIDsOfARegister: the numbers that a register holds are ids, or ids plus one, if all of them
// are there for every n. What is left must be the same for every n.
func TestIDsOfARegister(t *testing.T) {
	for _, c := range []struct {
		name      string
		values    func(n int) []int
		constants []string
		ids       bool
		offset    int
		why       string
	}{
		{"ids", func(n int) []int { return upTo(0, n) }, []string{}, true, 0, ""},
		{"ids and a constant", func(n int) []int { return append(upTo(0, n), 99) }, []string{"99"}, true, 0, ""},
		{"zero and ids plus one", func(n int) []int { return upTo(0, n+1) }, []string{"0"}, true, 1, ""},
		{"constants", func(int) []int { return []int{0, 1, 2} }, []string{"0", "1", "2"}, false, 0, ""},
		{"without the last id", func(n int) []int { return upTo(0, n-1) }, nil, false, 0, "the values of register turn are neither ids nor the same for every n"},
		{"ids plus two", func(n int) []int { return upTo(2, n+2) }, nil, false, 0, "the values of register turn are neither ids nor the same for every n"},
	} {
		var all []*learned
		for _, n := range inferred {
			var values []raw
			for _, v := range c.values(n) {
				values = append(values, raw{fmt.Sprint(v), v, number})
			}
			all = append(all, &learned{n: n, cells: []cell{{"turn", -1, values}}})
		}
		found, err := groups(all)
		if c.why != "" {
			require.EqualError(t, err, c.why, c.name)
			continue
		}
		require.NoError(t, err, c.name)
		require.Equal(t, &group{name: "turn", place: AtShared, constants: c.constants, ids: c.ids, offset: c.offset}, found["turn"], c.name)
	}
}

// upTo returns the numbers from a first one to below another.
func upTo(from, to int) (all []int) {
	for v := from; v < to; v++ {
		all = append(all, v)
	}
	return all
}

// TestMatchRefuses: a template with a change in any rule differs from the source.
func TestMatchRefuses(t *testing.T) {
	b := builderOf(t, "burns/onebit")
	var all []*learned
	for _, n := range inferred {
		l, err := learn(t.Context(), b, n)
		require.NoError(t, err)
		all = append(all, l)
	}
	template, groups, err := infer(all)
	require.NoError(t, err)
	require.NoError(t, template.match(all[2], groups))
	for i, l := range template.Locations {
		for k := range l.Rules {
			r := &template.Locations[i].Rules[k]
			before := *r
			critical := slices.IndexFunc(template.Locations, func(l Location) bool { return l.Critical })
			if r.Goto = []Target{{critical, Cursor{Kind: None}}}; before.Goto[0].Location == critical {
				r.Goto[0].Location = 0
			}
			require.Error(t, template.match(all[2], groups), "location %d, rule %d leads elsewhere", i, k)
			r.Goto = before.Goto
			if r.Write = 0; r.Read == 0 {
				r.Write = 1
			}
			if r.Write != before.Write && l.Access.At != AtNothing {
				require.Error(t, template.match(all[2], groups), "location %d, rule %d writes another value", i, k)
			}
			*r = before
		}
	}
	require.NoError(t, template.match(all[2], groups), "the rules are those of before")
}

// TestVerified: cmd/viewcheck accepts the certificates of proofs, and refuses one whose finder
// leaves out a successor.
func TestVerified(t *testing.T) {
	viewcheck := filepath.Join(t.TempDir(), "viewcheck")
	out, err := exec.Command("go", "build", "-o", viewcheck, "shmbench/cmd/viewcheck").CombinedOutput()
	require.NoError(t, err, "%s", out)
	verify := func(p *Proof) (int, string) {
		file := filepath.Join(t.TempDir(), "certificate")
		f, err := os.Create(file)
		require.NoError(t, err)
		require.NoError(t, p.WriteCertificate(f))
		require.NoError(t, f.Close())
		cmd := exec.Command(viewcheck, file)
		out, _ := cmd.CombinedOutput()
		return cmd.ProcessState.ExitCode(), string(out)
	}
	names := []string{"cas/testfirst"}
	if sample.All() {
		names = append(names, "tas/tas", "burns/onebit", "dijkstra/dijkstra", "fast/lamport", "queue/hemlock")
	}
	for _, name := range names {
		p := proofOf(t, name)
		code, says := verify(p)
		require.Zero(t, code, says)
		require.Contains(t, says, fmt.Sprintf("%s: the template has mutual exclusion for every n >= 2, by %d views", name, len(p.Levels[len(p.Levels)-1].Views)))
	}
	p := proofOf(t, "burns/onebit")
	fewer := 0
	for location := range p.Template.Locations {
		for _, left := range []int{0, 1} { // of the successors of a step
			wrong := p.Template.prover(2, false, 1000)
			wrong.moves = func(v View, m int, alone bool, to []View) ([]View, *stuck) {
				after, stuck := p.Template.moves(v, m, alone, to)
				if int(v[wrong.lay.member(m)]) == location {
					after = after[:min(left, len(after))]
				}
				return after, stuck
			}
			level, failure, err := wrong.run(t.Context())
			require.NoError(t, err)
			require.Nil(t, failure)
			if len(level.Views) == len(p.Levels[0].Views) {
				continue // what was left out follows from other steps
			}
			fewer++
			code, says := verify(&Proof{Lock: "wrong", Template: p.Template, Levels: []Level{*level}})
			require.Equal(t, 1, code, says)
			require.Contains(t, says, "they are not closed")
		}
	}
	require.Greater(t, fewer, len(p.Template.Locations))
}

// TestMatchInitial: the registers of the source hold at first what the template says, and the template has all of them. An
// access to nothing is no register.
func TestMatchInitial(t *testing.T) {
	groups := map[string]*group{
		"turn":    {name: "turn", place: AtShared, ids: true},
		"busy[1]": {name: "busy[1]", place: AtShared, number: 1, constants: []string{"false", "true"}},
		"next":    {name: "next", place: AtOwn, ids: true, offset: 1},
	}
	id := func(v int) []raw { return []raw{{fmt.Sprint(v), v, number}} }
	source := func() *learned {
		return &learned{n: 2, cells: []cell{{"", -1, nil}, {"turn", -1, id(0)}, {"busy", 1, []raw{{"true", 0, symbol}}}, {"next", 0, id(1)}, {"next", 1, id(2)}}}
	}
	template := func() *Template {
		return &Template{Shared: []Register{{Initial: FirstID}, {Initial: 1}}, Own: []Register{{Initial: OwnID}}}
	}
	require.NoError(t, template().match(source(), groups))
	for _, c := range []struct {
		change func(t *Template, l *learned)
		why    string
	}{
		{func(_ *Template, l *learned) { l.cells[1].values = id(1) }, "at n=2 the initial value of register turn is not that of the template"},
		{func(t *Template, _ *learned) { t.Shared[1].Initial = 0 }, "at n=2 the initial value of register busy[1] is not that of the template"},
		{func(_ *Template, l *learned) { l.cells[4].values = id(1) }, "at n=2 the initial value of register next[1] is not that of the template"},
		{func(t *Template, _ *learned) { t.Own[0].Initial = FirstID }, "at n=2 the initial value of register next[1] is not that of the template"},
		{func(_ *Template, l *learned) { l.cells[2].index = 0 }, "at n=2 there is a register busy[0] that the template lacks"},
		{func(_ *Template, l *learned) { l.cells[3].values = id(3) },
			"register next holds 3 at n=2, which is neither an id nor a value that it has for every n"},
	} {
		of, l := template(), source()
		c.change(of, l)
		require.EqualError(t, of.match(l, groups), c.why)
	}
}
