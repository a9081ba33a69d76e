package edit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const lock = `package p

import (
	"sync/atomic"

	"shmbench/shm/spin"
)

type T struct{ a, b atomic.Uint32 }

// Lock acquires the lock.
func (l *T) Lock(i int) {
	me, other := uint32(i), uint32(1-i)
	l.a.Store(me)            // 1
	l.b.Store(me)            // 2, 3
	spin.Until(func() bool { // 4
		return l.a.Load() == 0 ||
			l.b.Load() == other
	})
	if l.a.Load() == me { // 5
		l.b.Store(0)
	}
}

func (l *T) TryLock(i int) bool {
	return l.a.CompareAndSwap(0, 1) // 1
}

func (l *T) Unlock(int) { l.a.Store(0) } // 6
`

func applied(t *testing.T, edits ...string) (string, []string, error) {
	t.Helper()
	var all []Edit
	for _, text := range edits {
		e, err := Parse(text)
		require.NoError(t, err)
		require.Equal(t, text, e.String())
		all = append(all, e)
	}
	return Apply("p/p.go", lock, all)
}

// TestApply: each form of edit changes what it names and nothing else, and no line moves
// that is not moved.
func TestApply(t *testing.T) {
	for _, c := range []struct {
		edit, old string
		lines     map[int]string
	}{
		{"delete 2", "l.b.Store(me)", map[int]string{15: "\t            // 2, 3"}},
		{"delete 3", "l.b.Store(me)", map[int]string{15: "\t            // 2, 3"}},
		{"delete 6", "l.a.Store(0)", map[int]string{29: "func (l *T) Unlock(int) {  } // 6"}},
		{"delete 5", "if l.a.Load() == me { // 5\n\t\tl.b.Store(0)\n\t}", map[int]string{20: "\t // 5", 21: "", 22: ""}},
		{"delete 4", "spin.Until(func() bool { // 4\n\t\treturn l.a.Load() == 0 ||\n\t\t\tl.b.Load() == other\n\t})",
			map[int]string{6: "\t_ \"shmbench/shm/spin\"", 13: "\tme, other := uint32(i), uint32(1-i); _ = other", 16: "\t // 4", 17: "", 18: "", 19: ""}},
		{"replace 1 in Lock with slices.Max([]int{})", "l.a.Store(me)", map[int]string{1: "package p; import \"slices\"", 14: "\tslices.Max([]int{})            // 1"}},
		{"replace 1#2: 0, 1 => 1, 0", "0, 1", map[int]string{26: "\treturn l.a.CompareAndSwap(1, 0) // 1"}},
		{"replace 1 in T.TryLock: (0, 1) =>", "(0, 1)", map[int]string{26: "\treturn l.a.CompareAndSwap // 1"}},
		{"replace every 1: l.a => l.b", "l.a", map[int]string{14: "\tl.b.Store(me)            // 1", 26: "\treturn l.b.CompareAndSwap(0, 1) // 1"}},
		{"replace 4: l.a.Load() == 0 || l.b.Load() == other => true || l.b.Load() == other", "l.a.Load() == 0 ||\n\t\t\tl.b.Load() == other",
			map[int]string{17: "\t\treturn true || l.b.Load() == other", 18: ""}},
		{"insert before 6: l.b.Store(0)", "l.a.Store(0)", map[int]string{29: "func (l *T) Unlock(int) { l.b.Store(0); l.a.Store(0) } // 6"}},
		{"insert after 2: spin.Pause()", "l.b.Store(me)", map[int]string{15: "\tl.b.Store(me); spin.Pause()            // 2, 3"}},
		{"move 1#1 after 2", "\tl.a.Store(me)            // 1", map[int]string{14: "\tl.b.Store(me)            // 2, 3", 15: "\tl.a.Store(me)            // 1"}},
		{"move 5 before 2", "\tif l.a.Load() == me { // 5\n\t\tl.b.Store(0)\n\t}",
			map[int]string{15: "\tif l.a.Load() == me { // 5", 16: "\t\tl.b.Store(0)", 17: "\t}", 18: "\tl.b.Store(me)            // 2, 3",
				19: "\tspin.Until(func() bool { // 4", 20: "\t\treturn l.a.Load() == 0 ||", 21: "\t\t\tl.b.Load() == other", 22: "\t})"}},
		{"in T: a, b => a, c, b", "a, b", map[int]string{9: "type T struct{ a, c, b atomic.Uint32 }"}},
		{"in Unlock: l.a.Store(0) => l.a.Add(1)", "l.a.Store(0)", map[int]string{29: "func (l *T) Unlock(int) { l.a.Add(1) } // 6"}},
	} {
		changed, old, err := applied(t, c.edit)
		require.NoError(t, err, c.edit)
		require.Equal(t, []string{c.old}, old, c.edit)
		was, is := strings.Split(lock, "\n"), strings.Split(changed, "\n")
		require.Len(t, is, len(was), "%s\n%s", c.edit, changed)
		for i := range is {
			want, ok := c.lines[i+1]
			if !ok {
				want = was[i]
			}
			require.Equal(t, want, is[i], "%s, line %d", c.edit, i+1)
		}
	}
	changed, old, err := applied(t, "delete 2", "replace 5: me => other", "in Unlock: 0 => 1")
	require.NoError(t, err)
	require.Len(t, old, 3)
	require.Contains(t, changed, "if l.a.Load() == other { // 5")
	require.Contains(t, changed, "l.a.Store(1) } // 6")
}

// TestLabels: the labels at the ends of lines of code, with the declaration that each is in.
func TestLabels(t *testing.T) {
	const text = `package p

// 1

var x, y int // 2

type (
	A struct{ n int } // L3
	B[T any] struct{} // 4a
)

func (b B[T]) M() { // 5,6, 7
	b.M() /* x */ //8
	// 9
	b.M() // 10 here
	b.M() // one
} // 11

func f() {} // 12
`
	s, err := parse("p.go", text)
	require.NoError(t, err)
	require.Equal(t, []Labelled{
		{"2", "x y", 5}, {"L3", "A B", 8}, {"4a", "A B", 9}, {"5", "B.M", 12}, {"6", "B.M", 12}, {"7", "B.M", 12},
		{"8", "B.M", 13}, {"11", "B.M", 17}, {"12", "f", 19},
	}, s.labels())
}

// TestDeclarations: the names of a declaration, and the type of a receiver.
func TestDeclarations(t *testing.T) {
	s, err := parse("p.go", "package p\n\nimport \"fmt\"\n\nvar a, b = 1, 2\nconst c = 3\ntype D[T any] struct{}\nfunc e() {}\n"+
		"func (D) f() {}\nfunc (*D) g() {}\nfunc (d *D[T]) h() {}\n")
	require.NoError(t, err)
	var all [][]string
	for _, d := range s.ast.Decls {
		all = append(all, declared(d))
	}
	require.Equal(t, [][]string{nil, {"a", "b"}, {"c"}, {"D"}, {"e"}, {"D.f"}, {"D.g"}, {"D.h"}}, all)
}

// TestOnce: a text with any space between its words is found where it is once.
func TestOnce(t *testing.T) {
	s := &source{name: "p.go", text: "a + b; a +\n\tb; c.d; cxd"}
	for _, c := range []struct {
		old        string
		begin, end int
		want       [2]int
		err        string
	}{
		{"a + b", 0, 6, [2]int{0, 5}, ""},
		{"a + b", 7, len(s.text), [2]int{7, 13}, ""},
		{"  b ", 10, 13, [2]int{12, 13}, ""},
		{"c.d", 0, len(s.text), [2]int{15, 18}, ""},
		{"a + b", 0, len(s.text), [2]int{}, `p.go: "a + b" is 2 times here: expected more of the text around it`},
		{"a", 1, 7, [2]int{}, `p.go: there is no "a" here`},
	} {
		begin, end, err := s.once(c.old, c.begin, c.end, "here")
		require.Equal(t, c.want, [2]int{begin, end}, c.old)
		if c.err != "" {
			require.EqualError(t, err, c.err)
		} else {
			require.NoError(t, err)
		}
	}
}

// TestStatement: the outermost statement that begins on a line, which no block is.
func TestStatement(t *testing.T) {
	s, err := parse("p.go", "package p\n\nfunc f() {\n\tif true {\n\t\tf(); f()\n\t}\n\t{ f() }\n}\n")
	require.NoError(t, err)
	for line, want := range map[int]string{4: "if true {\n\t\tf(); f()\n\t}", 5: "f()", 7: "f()"} {
		begin, end, err := s.statement(line)
		require.NoError(t, err)
		require.Equal(t, want, s.text[begin:end])
	}
	for _, line := range []int{1, 3, 6, 8} {
		begin, end, err := s.statement(line)
		require.EqualError(t, err, fmt.Sprintf("p.go: no statement begins on line %d", line))
		require.Equal(t, [2]int{}, [2]int{begin, end})
	}
}

// TestEncode: the text of an edit is how it is written, and its parts are those of the text.
func TestEncode(t *testing.T) {
	const text = "replace 4#2 in TryLock: a => b"
	var e Edit
	require.NoError(t, e.UnmarshalText([]byte(text)))
	require.Equal(t, "b", e.New())
	require.Equal(t, "4", e.Label())
	require.Equal(t, place{label: "4", which: 2, in: "TryLock"}, e.at)
	require.Equal(t, "4#2 in TryLock", e.at.String())
	written, err := e.MarshalText()
	require.NoError(t, err)
	require.Equal(t, text, string(written))
	require.ErrorContains(t, e.UnmarshalText([]byte("drop 4")), `"drop 4" is no edit`)
}

// TestNoPlace: an edit that has no place in the source is an error that says why.
func TestNoPlace(t *testing.T) {
	for edit, says := range map[string]string{
		"delete 9":                "p/p.go: no line has the label 9; the labels are 1, 2",
		"delete 2 in Unlock":      "no line has the label 2 in Unlock",
		"delete 1":                "2 lines have the label 1: expected one of them, or every 1: 1#1 is l.a.Store(me); 1#2 is return",
		"delete 1#3":              "there is no 1#3: 1#1 is l.a.Store(me); 1#2 is return l.a.CompareAndSwap(0, 1)",
		"replace 2: l.c => l.a":   `there is no "l.c" at line 2`,
		"replace 4: Load => Add":  `"Load" is 2 times at line 4: expected more of the text around it`,
		"replace 2: l.b => l.b":   `the edit "replace 2: l.b => l.b" changes nothing: expected other code than is there`,
		"move 4 after 4":          "one of the two statements is in the other",
		"move 6 after 2":          "line 6 is no single statement with lines of its own",
		"move every 4 after 5":    "line 4 is no single statement with lines of its own",
		"in NewT: a => b":         "nothing called NewT is declared",
		"in T: x => d":            `there is no "x" in T`,
		"replace 2 with l.b.(":    "after the edit this is not Go",
		"insert before 2: if x {": "after the edit this is not Go",
	} {
		_, _, err := applied(t, edit)
		require.ErrorContains(t, err, says, edit)
	}
	for _, text := range []string{"", "drop 4", "delete", "delete four", "replace 4", "replace 4: a", "insert 4: a", "move 4", "in T", "delete 4 5", "delete 4#0"} {
		_, err := Parse(text)
		require.ErrorContains(t, err, "is no edit: expected \"delete 4\"", text)
	}
}

// TestBlocks: a line that begins with a space continues a field.
func TestBlocks(t *testing.T) {
	all, err := Blocks("a.txt", "# a\nlock: l\n\n# b\nmutant: m\nedit: replace 1 with if x {\n  y()\n  z()\n  }\nbroken: it\n  is\n",
		map[string][]string{"lock": nil, "mutant": {"edit", "broken"}})
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, 5, all[1].Line)
	require.Equal(t, "replace 1 with if x { y(); z() }", all[1].Get("edit"))
	require.Equal(t, "it is", all[1].Get("broken"))
	_, err = Blocks("a.txt", "lock: l\nspace: 1\n", map[string][]string{"lock": nil})
	require.ErrorContains(t, err, "a.txt:2: \"space\" is no field of a block that begins with \"lock\"")
}

// TestBlocksErrors: the errors of a data file name the line and what was expected.
func TestBlocksErrors(t *testing.T) {
	kinds := map[string][]string{"lock": {"space", "class"}, "mutant": {"edit"}}
	for text, says := range map[string]string{
		"lock: l\n\nspace: 1\n":          `a.txt:3: "space" begins no block: expected lock or mutant`,
		"lock: l\nedit: delete 1\n":      `a.txt:2: "edit" is no field of a block that begins with "lock": expected one of space, class`,
		"# a\nlock\n":                    `a.txt:2: "lock": expected a field, "name: value"`,
		" lock\n":                        `a.txt:1: " lock": expected a field, "name: value"`,
		"lock: l\n\n space\n":            `a.txt:3: " space": expected a field, "name: value"`,
		"lock: l\nlock: m\nedit: none\n": `a.txt:3: "edit" is no field of a block that begins with "lock": expected one of space, class`,
	} {
		all, err := Blocks("a.txt", text, kinds)
		require.EqualError(t, err, says)
		require.Nil(t, all)
	}
}

// TestBlock: the fields of a block, their lines in errors, and its edits.
func TestBlock(t *testing.T) {
	all, err := Blocks("a.txt", "lock: l\nmutant: m\nedit: delete 1\nbroken: a\n\tb\n# comment\nedit: delete 2\n\nmutant: n\nedit: drop 3\n",
		map[string][]string{"lock": nil, "mutant": {"edit", "broken"}})
	require.NoError(t, err)
	require.Equal(t, []Block{
		{"a.txt", 1, []Field{{"lock", "l", 1}}},
		{"a.txt", 2, []Field{{"mutant", "m", 2}, {"edit", "delete 1", 3}, {"broken", "a b", 4}, {"edit", "delete 2", 7}}},
		{"a.txt", 9, []Field{{"mutant", "n", 9}, {"edit", "drop 3", 10}}},
	}, all)
	b := all[1]
	require.Equal(t, "delete 1", b.Get("edit"))
	require.Equal(t, "a b", b.Get("broken"))
	require.Empty(t, b.Get("space"))
	require.EqualError(t, b.Errorf("edit", "%d wrong", 2), "a.txt:3: 2 wrong")
	require.EqualError(t, b.Errorf("space", "missing"), "a.txt:2: missing")
	edits, err := b.Edits()
	require.NoError(t, err)
	require.Len(t, edits, 2)
	require.Equal(t, "delete 1", edits[0].String())
	require.Equal(t, "delete 2", edits[1].String())
	_, err = all[2].Edits()
	require.ErrorContains(t, err, `a.txt:10: "drop 3" is no edit`)
}

// TestJoined: two lines of Go are two statements, unless the first continues or the second ends a block; prose is one line.
func TestJoined(t *testing.T) {
	for _, c := range [][3]string{
		{"", "a", "a"}, {"a", "", "a"}, {"a b", "c d", "a b c d"},
		{"if x {", "y()", "if x { y()"}, {"{ y()", "z()", "{ y(); z()"}, {"{ y()", "}", "{ y() }"}, {"{ f(", "x)", "{ f( x)"},
		{"{ f(x,", "y)", "{ f(x, y)"}, {"{ x = a ||", "b", "{ x = a || b"}, {"{ x = a &&", "b", "{ x = a && b"}, {"x()", "{ y() }", "x(); { y() }"},
	} {
		require.Equal(t, c[2], joined(c[0], c[1]))
	}
}

// TestTidy: a file that was edited compiles, and no line moves.
func TestTidy(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"an import that is not used", "package p\nimport \"fmt\"\n", "package p\nimport _ \"fmt\"\n"},
		{"an import with a name", "package p\nimport f \"fmt\"\n", "package p\nimport f \"fmt\"\n"},
		{"an import with a known name", "package p\nimport bits \"my/bits\"\nvar x = bits.X\n", "package p\nimport bits \"my/bits\"\nvar x = bits.X\n"},
		{"a package without import", "package p\nvar x = bits.UintSize\n", "package p; import \"math/bits\"\nvar x = bits.UintSize\n"},
		{"a parameter with the name of a package", "package p\nfunc f(bits T) { bits.f() }\n", "package p\nfunc f(bits T) { bits.f() }\n"},
		{"an unknown package", "package p\nvar x = other.X\n", "package p\nvar x = other.X\n"},
		{"a function without body", "package p\nfunc f()\n", "package p\nfunc f()\n"},
		{"variables that are not used", "package p\nfunc f() {\n\tx := 1\n\tvar y int\n\ty = 2\n\t_, _z := 3, 4\n}\n",
			"package p\nfunc f() {\n\tx := 1; _ = x\n\tvar y int; _ = y\n\ty = 2\n\t_, _z := 3, 4\n}\n"},
		{"variables that are used", "package p\nfunc f() {\n\tx, y := 1, 2\n\tx += y\n\tconst c = 3\n}\n",
			"package p\nfunc f() {\n\tx, y := 1, 2\n\tx += y\n\tconst c = 3\n}\n"},
		{"a variable of a case", "package p\nfunc f() {\n\tswitch {\n\tcase true:\n\t\tx := 1\n\t}\n}\n",
			"package p\nfunc f() {\n\tswitch {\n\tcase true:\n\t\tx := 1; _ = x\n\t}\n}\n"},
	} {
		text, err := tidy("p.go", c.text)
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, text, c.name)
	}
}

// TestSpecifications: the specification of a lock is found in the source.
func TestSpecifications(t *testing.T) {
	tree := At("../../..")
	for lock, want := range map[string][2]string{
		"queue/mcs":           {"MCS(shm.Packed, shm.Released)", "locks/queue/mcs.go"},
		"queue/ticketbackoff": {"TicketBackoff(shm.Packed, shm.Released)", "locks/queue/ticket.go"},
		"tournament/peterson": {"Peterson(shm.Packed, shm.Released)", "tournament/peterson.go"},
		"tas/tas":             {"TAS(shm.Released)", "tas/tas.go"},
	} {
		call, file, err := tree.spec(lock, true)
		require.NoError(t, err)
		require.Equal(t, want, [2]string{call, file})
	}
	_, _, err := tree.spec("queue/nosuch", false)
	require.ErrorContains(t, err, "no exported function of package queue mentions \"queue/nosuch\"")
	_, err = tree.Program("a", []Lock{{Name: "queue/mcs", As: "mutants/a", Spec: "MCS(", Edits: nil}}, "")
	require.ErrorContains(t, err, "spec: MCS(")
}

// TestProgram: package edited lists the changed locks behind those of another package, and imports both.
func TestProgram(t *testing.T) {
	e, err := Parse("delete 1")
	require.NoError(t, err)
	locks := []Lock{{Name: "tas/tas", As: "mutants/a", Edits: []Edit{e}}}
	for also, want := range map[string]string{
		"": "import (\n\t\"shmbench/shm\"\n\tm0 \"shmbench/x/a\"\n)\n\n// All returns the changed locks.\nfunc All() []shm.Algorithm {\n" +
			"\treturn []shm.Algorithm{\n\t\tm0.Edited(),\n\t}\n}\n",
		"my/locks": "import (\n\t\"shmbench/shm\"\n\tm0 \"shmbench/x/a\"\n\talso \"my/locks\"\n)\n\n// All returns the changed locks.\nfunc All() []shm.Algorithm {\n" +
			"\treturn append(also.Specs(), []shm.Algorithm{\n\t\tm0.Edited(),\n\t}...)\n}\n",
	} {
		p, err := At("../../..").Program("x", locks, also)
		require.NoError(t, err)
		last := p.Packages[len(p.Packages)-1]
		require.Equal(t, "shmbench/x", last.Path)
		require.Equal(t, "package edited\n\n"+want, last.Files[0].Text)
	}
}
