package play_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/check/play"
	"shmbench/shm"
)

func algorithms(t *testing.T, names ...string) (all []shm.Algorithm) {
	t.Helper()
	for _, name := range names {
		a, err := catalog.Get(name)
		require.NoError(t, err)
		a.Invariants = nil
		all = append(all, a)
	}
	return all
}

// TestVerdicts: what is found of the automata that are played is what package check reports.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	all := algorithms(t, "peterson/asymmetric", "dekker/dekker", "tas/tas")
	played, err := play.OpenFor(t.Context(), catalog.Path, all)
	require.NoError(t, err)
	checked, err := check.OpenFor(t.Context(), catalog.Path, all)
	require.NoError(t, err)
	machines := 0
	for _, a := range all {
		lock, err := played.Algorithm(t.Context(), a, 2)
		require.NoError(t, err)
		for i, m := range lock.Document.Machines {
			machines++
			o := check.Options{N: []int{2}, LockOnly: true, TSO: m.Memory == play.StoreOrder}
			if m.Memory == play.Regular || m.Memory == play.Safe {
				o.Registers = shm.RegisterModel(m.Memory)
			}
			reports, err := checked.Algorithms(t.Context(), "All", []shm.Algorithm{a}, o)
			require.NoError(t, err)
			r, v := reports[0], lock.Verdict(i)
			require.Equal(t, r.MutualExclusion == check.Violated, v.Together, "%s, %s", a.Name, m.Memory)
			require.Equal(t, r.DeadlockFreedom == check.Violated, v.Stuck, "%s, %s", a.Name, m.Memory)
			require.Equal(t, r.Starved, v.Starves, "%s, %s", a.Name, m.Memory)
			require.Equal(t, *r.BypassFromStart, worst(v.Passed), "%s, %s", a.Name, m.Memory)
			require.Equal(t, *r.Bypass, worst(v.PastDoorway), "%s, %s", a.Name, m.Memory)
		}
	}
	require.Equal(t, 10, machines)
}

// worst is the largest number of passages, where -1 is without bound.
func worst(most []int) (all int) {
	for _, m := range most {
		if all < 0 || m < 0 {
			return -1
		}
		all = max(all, m)
	}
	return all
}

// TestNotPlayed: a lock of the runtime's is refused, with the reason.
func TestNotPlayed(t *testing.T) {
	t.Parallel()
	all := algorithms(t, "baseline/mutex")
	p, err := play.OpenFor(t.Context(), catalog.Path, all)
	require.NoError(t, err)
	_, err = p.Algorithm(t.Context(), all[0], 2)
	var not *play.NotPlayed
	require.ErrorAs(t, err, &not)
	require.ErrorContains(t, err, "baseline/mutex, n=2, cannot be played: ")
}

// TestDocument: the accesses of a lock are those of its lines, and a document for two processes
// is small.
func TestDocument(t *testing.T) {
	t.Parallel()
	all := algorithms(t, "peterson/peterson")
	p, err := play.OpenFor(t.Context(), catalog.Path, all)
	require.NoError(t, err)
	lock, err := p.Algorithm(t.Context(), all[0], 2)
	require.NoError(t, err)
	d := lock.Document
	require.Equal(t, []string{"sc", "tso", "regular", "safe"}, memories(d))
	require.Equal(t, 32, d.Machines[0].States)
	require.Contains(t, d.Code[0].Text, ") Lock(")
	labels := map[string]bool{}
	for _, place := range d.Machines[0].Places {
		labels[place.Label+" "+place.Op] = true
	}
	require.Equal(t, map[string]bool{"1 store": true, "2 store": true, "3 load": true, "4 store": true}, labels)
	text, err := json.Marshal(d)
	require.NoError(t, err)
	require.Less(t, len(text), 10_000)

	lines, other := 0, 0
	require.NoError(t, lock.Walk(0, 1, 50, func(line string) { lines++ }))
	require.NoError(t, lock.Walk(0, 1, 50, func(line string) { other++ }))
	require.Equal(t, 50, lines)
	require.Equal(t, lines, other)
}

// TestRest: a local state in the document has the slots of allocated memory that it leads to, what
// its access becomes when the memory gets slots, and the reason why the process stops there.
func TestRest(t *testing.T) {
	t.Parallel()
	all := algorithms(t, "abort/tolock")
	p, err := play.OpenFor(t.Context(), catalog.Path, all)
	require.NoError(t, err)
	lock, err := p.Algorithm(t.Context(), all[0], 2)
	require.NoError(t, err)
	for pid, process := range lock.Document.Machines[0].Processes {
		holds, binds := 0, 0
		for _, s := range process.States {
			if s.Rest != nil && s.Rest.Holds != nil {
				holds++
			} else if s.Rest != nil && s.Rest.Binds != nil {
				binds++
			}
		}
		require.Greater(t, holds, 1, "process %d", pid)
		require.Equal(t, 1, binds, "process %d shares its node in one access", pid)
	}

	p, err = play.Open(t.Context(), "../testdata/locks")
	require.NoError(t, err)
	lock, err = p.Constructor(t.Context(), "NewPanics", 2)
	require.NoError(t, err)
	for pid, process := range lock.Document.Machines[0].Processes {
		stops := 0
		for _, s := range process.States {
			if s.Flags&play.Stops == 0 {
				require.Nil(t, s.Rest)
				continue
			}
			stops++
			require.NotNil(t, s.Rest)
			require.Contains(t, s.Rest.Fault, "index out of range")
		}
		require.Positive(t, stops, "process %d", pid)
	}
}

func memories(d *play.Document) (all []string) {
	for _, m := range d.Machines {
		all = append(all, m.Memory)
	}
	return all
}
