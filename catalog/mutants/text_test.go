package mutants

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/build/edit"
	"shmbench/shm"
	"shmbench/shm/register"
)

const good = `lock: queue/mcs

mutant: mcs-a
edit: delete 4
verdict: safety at n = 2
class: swap
space: locked 1, no next
broken: a process does not wait

mutant: mcs-b
edit: replace 5: StoreReleaseIf(l.released, I) => Store(I)
stores: released
verdict: loses strong TryLock at n = 2
broken: the link is a sequentially consistent store
`

// TestText: an entry says what differs from its lock.
func TestText(t *testing.T) {
	all, err := parse("a.txt", good)
	require.NoError(t, err)
	require.Len(t, all, 2)
	m := all[0]
	require.Equal(t, "mutants/mcs-a", m.Name)
	require.Equal(t, "queue/mcs", m.Of)
	require.Equal(t, Safety, m.Verdict)
	require.Equal(t, 2, m.Procs)
	require.Equal(t, shm.Swap, m.Class)
	require.Len(t, m.Space, 2)
	require.Equal(t, "1", m.Space[1].Values.String())
	require.Equal(t, shm.Sequential, m.Stores)
	require.Equal(t, shm.Released, all[1].Stores)
	require.Equal(t, Loses("strong TryLock"), all[1].Verdict)
	require.Equal(t, "strong TryLock", all[1].Verdict.Claim())
	require.Empty(t, m.Verdict.Claim())
	require.Equal(t, shm.Swap|shm.CompareAndSwap, all[1].Class)
}

// TestWhyHardwareFindsNothing: an entry with its own reason keeps it. A fault that only crashes
// show, or that fences of this program hide, has a reason without a word in its entry.
func TestWhyHardwareFindsNothing(t *testing.T) {
	fences := "a released store has its fence in this program"
	if register.Unfenced {
		fences = ""
	}
	const crashes = "it shows its fault only where processes crash"
	for fields, want := range map[string]string{
		"":                                     "",
		"crashes: 1\n":                         crashes,
		"hardware: narrow\n":                   "narrow",
		"crashes: 1\nhardware: wide\n":         "wide",
		"stores: released\n":                   fences,
		"stores: released\nhardware: narrow\n": "narrow",
		"stores: released\ncrashes: 1\n":       crashes,
	} {
		all, err := parse("a.txt", "lock: queue/mcs\n\nmutant: mcs-a\nedit: delete 4\nverdict: safety at n = 2\nbroken: it is\n"+fields)
		require.NoError(t, err, fields)
		require.Equal(t, want, all[0].OutOfReach, fields)
	}
}

// TestCopy: a copy of a lock has the specification and the file of the lock's block, if the
// block has them, and edits of its own. A variant is a copy of its lock.
func TestCopy(t *testing.T) {
	blocks := 0
	for _, m := range fromText() {
		if m.edited.own || m.edited.spec+m.edited.file == "" {
			continue
		}
		blocks++
		of := shm.Algorithm{Name: m.Of}
		if m.edited.released {
			of.Stores = shm.Released
		}
		edits := []edit.Edit{{}}
		require.Equal(t, edit.Lock{Name: m.Of, As: "x", Released: m.edited.released, Spec: m.edited.spec, File: m.edited.file, Edits: edits}, Copy(of, "x", edits), m.Name)
		of.Name, of.VariantOf = m.Of+"-packed", m.Of
		require.Equal(t, edit.Lock{Name: m.Of, As: "x", Released: m.edited.released, Spec: m.edited.spec, File: m.edited.file, Edits: edits}, Copy(of, "x", edits), m.Name)
	}
	require.NotZero(t, blocks)
	require.Equal(t, edit.Lock{Name: "queue/none", As: "x", Released: true}, Copy(shm.Algorithm{Name: "queue/none", Stores: shm.Released}, "x", nil))
}

// TestTextErrors: an error names the file, the line and what was expected.
func TestTextErrors(t *testing.T) {
	const head, mutant = "lock: queue/mcs\n\nmutant: mcs-a\n", "edit: delete 4\nverdict: safety at n = 2\nbroken: it is\n"
	for says, text := range map[string]string{
		`a.txt:1: expected a block that begins with "lock:"`:                 "mutant: mcs-a\n" + mutant,
		`a.txt:1: "queue/mcs": expected a field, "name: value"`:              "queue/mcs\n",
		`a.txt:1: "luck" begins no block: expected lock or mutant`:           "luck: queue/mcs\n",
		`a.txt:4: "verdct" is no field of a block that begins with "mutant"`: head + "verdct: safety\n",
		`a.txt:3: expected a field "broken"`:                                 head + "edit: delete 4\n",
		`a.txt:3: expected a field "edit"`:                                   head + "verdict: safety at n = 2\nbroken: it is\n",
		`a.txt:4: "drop 4" is no edit: expected "delete 4"`:                  head + "edit: drop 4\nbroken: it is\n",
		`a.txt:5: "safe at n = 2": expected "safety at n = 2"`:               head + "edit: delete 4\nverdict: safe at n = 2\nbroken: it is\n",
		`a.txt:5: "loses order at n = 2": expected "safety at n = 2", or deadlock, starvation, equivalent or "loses CLAIM", and the least n at which it shows; ` +
			`a CLAIM is one of: first-come-first-served order, bounded bypass, `: head + "edit: delete 4\nverdict: loses order at n = 2\nbroken: it is\n",
		`a.txt:7: "relaxed": expected "released"`:             head + mutant + "stores: relaxed\n",
		`a.txt:7: "swapping": expected "read/write"`:          head + mutant + "class: swapping\n",
		`a.txt:7: "tail 2": the lock has no registers "tail"`: head + mutant + "space: tail 2\n",
		`a.txt:7: "locked many": expected a number of values`: head + mutant + "space: locked many\n",
		`a.txt:1: `: "lock: queue/nosuch\n\nmutant: a\n" + mutant,
		`a.txt:1: mutant mcs-a: n = 2000: expected 1 to 1024`: head + "edit: delete 4\nverdict: safety at n = 2000\nbroken: it is\n",
	} {
		_, err := parse("a.txt", text)
		require.ErrorContains(t, err, says)
	}
}

// TestEditDoesNotApply: the error of an edit that has no place in the source names the
// mutant and the lock.
func TestEditDoesNotApply(t *testing.T) {
	m := fromText()[0]
	e, err := edit.Parse("delete 99")
	require.NoError(t, err)
	m.edited.edits = []edit.Edit{e}
	_, err = Source(t.Context(), []Mutant{m})
	require.ErrorContains(t, err, m.Name+", which is "+m.Of+" with edits")
	require.ErrorContains(t, err, "no line has the label 99")
}
