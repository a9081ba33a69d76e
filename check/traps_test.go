package check_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"shmbench/check"
	"shmbench/internal/testkit/sample"
)

// TestTraps has locks whose verdict hangs on a corner of the language: what the
// checker says is what the compiled code does, or one line that names what
// cannot be read.
func TestTraps(t *testing.T) {
	sample.NeedsAll(t)
	t.Parallel()
	const (
		excludes = "excludes"
		breaks   = "lets two in"
	)
	outcomes := map[string]string{
		"NewRoom":     breaks,
		"NewFull":     excludes,
		"NewCut":      excludes,
		"NewCapacity": "append.go:26: depends on the outcome of code that asks for a capacity that the runtime has chosen",
		"NewBeyond":   "append.go:58: slices beyond what append has filled",
		"NewGrown":    "append.go:26: depends on an element that append may or may not have moved",
		"NewMoved":    "append.go:26: depends on an element that append may or may not have moved",
		"NewAppended": excludes,
		"NewPath":     excludes,
		"NewOwnGrown": "append.go:131: uses an element that append may or may not have moved",

		"NewOtherLayout": "unsafe.go:21: sees memory of type traps.ab as traps.ba, which is laid out in another way",
		"NewHalves":      "unsafe.go:31: sees memory of type traps.Halves as uint64, which is laid out in another way",
		"NewSign":        excludes,
		"NewBent":        "unsafe.go:72: sees memory of type traps.ab as traps.ba",
		"NewUntyped":     excludes,

		"NewTokens":    "unknown.go:33: uses the result of math/rand/v2.Uint32",
		"NewBentToken": "unknown.go:33: uses the result of math/rand/v2.Uint32",
		"NewAdds":      "unknown.go:45: computes with the result of math/rand/v2.Uint32",
		"NewSorted":    "append.go:26: depends on memory that sort.Slice was given",
		"NewOnce":      "append.go:26: depends on memory that (*sync.Once).Do was given",
		"NewMap":       breaks,
		"NewSlices":    excludes,
		"NewHeld":      "unknown.go:97: writes to an address that is not known",
		"NewValue":     "unknown.go:88: uses atomic.Value",

		"NewPromoted":   excludes,
		"NewPointed":    excludes,
		"NewLocalTypes": excludes,
		"NewShown":      excludes,
		"NewEmpty":      "types.go:84: compares the addresses of two variables without size",
		"NewMarks":      "types.go:104: compares the addresses of two variables without size",
		"NewOne":        excludes,
		"NewBoxed":      excludes,
		"NewKept":       excludes,
		"NewNarrow":     excludes,

		"NewShifts":       "panics: panics.go:14: negative shift amount: -1",
		"NewShort":        "panics: panics.go:27: a slice of length 1 is turned into an array of length 2",
		"NewCompares":     "panics: panics.go:47: comparing uncomparable type []int",
		"NewComparesDeep": "panics: panics.go:47: comparing uncomparable type func()",
		"NewRecurses":     "panics: panics.go:59: calls itself without end",
		"NewDeep":         excludes,
		"NewDescends":     "256 calls within calls with accesses between them, and no end in sight",

		"NewDelays":  excludes,
		"NewWaits":   "delay.go:32: still in a loop without an access to shared memory after",
		"NewSwings":  "panics: delay.go:49: runs without end",
		"NewLinear":  excludes,
		"NewDoubles": excludes,
		"NewRandom":  excludes,
		"NewLucky":   "delay.go:114: process 0 has more than 32768 local states",
		"NewSingle":  excludes,

		"NewAllocates":  excludes,
		"NewAlternates": breaks,

		"NewCounted":   excludes,
		"NewHundred":   breaks,
		"NewTicket":    excludes,
		"NewNumbered":  excludes,
		"NewIntTicket": breaks,
		"NewHuge":      "counters.go:116: allocates more than",
		"NewLarge":     "counters.go:123: allocates more than",
		"NewTables":    excludes,
		"NewVast":      "counters.go:144: allocates more than",
		"NewStuck":     "counters.go:148: runs without end",
		"NewScattered": excludes,

		"NewBumped":  "order.go:20: reads l.mine[i] beside a call after which it may be another",
		"NewOrdered": excludes,
		"NewBeside":  breaks,
		"NewHanded":  "order.go:71: reads l.word beside a call after which it may be another",
		"NewLocals":  "order.go:90: reads x beside a call after which it may be another",
	}
	src := check.Testdata(t, "traps")
	verify := func(constructors []string, o check.Options) {
		o.N, o.MaxStates = []int{2}, 1<<21
		var reports []*check.Report
		for _, constructor := range constructors {
			of, err := src.Once(t.Context(), constructor, o)
			require.NoError(t, err)
			reports = append(reports, of...)
		}
		require.Len(t, reports, len(constructors))
		for i, r := range reports {
			want := outcomes[constructors[i]]
			assert.Equal(t, want, outcome(r, want, excludes, breaks), constructors[i])
		}
	}
	// Compiled, this one would wait for as long as it says.
	verify([]string{"NewDoubles"}, check.Options{})
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(outcomes)), func(constructor string) bool { return constructor == "NewDoubles" })
	verify(others, check.Options{Replays: 2_000})
}

// inFunction is the function that a refusal names behind its line.
var inFunction = regexp.MustCompile(`(\.go:\d+:) [^ ]+:`)

// outcome says what a report says, as much of it as is wanted.
func outcome(r *check.Report, want, excludes, breaks string) string {
	said := ""
	switch {
	case r.Refused != "":
		said = r.Refused
	case !r.Exhausted && len(r.Undecided) > 0:
		said = r.Undecided[0].Why
	case r.PanicFreedom == check.Violated:
		said = "panics: " + r.Counterexample(check.PanicFreedom).End
	case r.MutualExclusion == check.Violated:
		said = breaks
	case r.MutualExclusion == check.Holds && r.DataRaceFreedom == check.Holds:
		said = excludes
	case r.MutualExclusion.Bounded():
		said = string(r.MutualExclusion)
	default:
		said = "not decided"
	}
	said = inFunction.ReplaceAllString(said, "$1")
	if panics, ok := strings.CutPrefix(want, "panics: "); contains(said, want) || ok && contains(said, "panics: ") && contains(said, panics) {
		return want
	}
	return said
}

// TestForgottenCounters: what only counts limits no passages, and what decides by
// its number does.
func TestForgottenCounters(t *testing.T) {
	t.Parallel()
	src := check.Testdata(t, "traps")
	for constructor, passages := range map[string]int{"NewCounted": 0, "NewRandom": 0, "NewHundred": 2, "NewTicket": 0} {
		reports, err := src.Lock(t.Context(), constructor, check.Options{N: []int{2}, MaxStates: 1 << 21})
		require.NoError(t, err, constructor)
		require.Equal(t, passages, reports[0].Passages, constructor)
		require.True(t, reports[0].Exhausted, constructor)
	}
	reports, err := src.Lock(t.Context(), "NewCounted", check.Options{N: []int{2}})
	require.NoError(t, err)
	require.Equal(t, check.Violated, reports[0].StarvationFreedom, "not only within two passages")
	for _, k := range reports[0].Registers {
		require.Equal(t, k.Name != "busy", k.Forgotten, k.Name)
	}
}

// TestLanguageVersion reads a package as the version of Go that its module is
// written in: before 1.22, a loop has one variable for all its turns.
func TestLanguageVersion(t *testing.T) {
	const text = `package old

import "sync/atomic"

type Lock struct {
	words []func() *atomic.Bool
	all   [2]atomic.Bool
}

func New(int) *Lock {
	l := &Lock{}
	for i := 0; i < 2; i++ {
		l.words = append(l.words, func() *atomic.Bool { return &l.all[i%2] })
	}
	return l
}

// Lock takes the second word, or the first, where i is 2 in the end.
func (l *Lock) Lock(int) {
	for l.words[1]().Swap(true) {
	}
	if l.words[1]() == &l.all[0] {
		l.all[0].Store(false)
	}
}

func (l *Lock) Unlock(int) { l.words[1]().Store(false) }
`
	for version, want := range map[string]check.Verdict{"1.20": check.Violated, "1.22": check.Holds} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "lock.go"), []byte(text), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module old\n\ngo "+version+"\n"), 0o644))
		src, err := check.Open(t.Context(), dir, ".")
		require.NoError(t, err)
		reports, err := src.Lock(t.Context(), "New", check.Options{N: []int{2}})
		require.NoError(t, err)
		require.Equal(t, want, reports[0].MutualExclusion, "go %s", version)
	}
}

// TestJoins has a value that nothing but the choice between two uses: neither it
// nor the choice is left out of a state.
func TestJoins(t *testing.T) {
	src := check.Testdata(t, "traps")
	reports, err := src.Lock(t.Context(), "NewJoins", check.Options{N: []int{2}})
	require.NoError(t, err)
	require.NoError(t, reports[0].Err())
	require.Equal(t, 3, slices.MaxFunc(reports[0].Registers, func(a, b check.Registers) int { return a.Values - b.Values }).Values)
}
