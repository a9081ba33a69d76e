package spec

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/internal/verdict"
	"shmbench/shm"
	"shmbench/shm/futex"
)

// TestSpaceDisagreements: each difference between the registers of a lock and those of its
// specification makes one sentence. Where passages are limited, a register may not have taken all
// of its values, and registers may not all have been made.
func TestSpaceDisagreements(t *testing.T) {
	several := func(n int) shm.Formula { return shm.Linear(1, n-2) } // n registers or values for two processes
	for _, c := range []struct {
		name     string
		n        int // 2 if it is 0
		found    int // passages of the check
		passages int // that were asked for
		kinds    []Kind
		says     shm.Space
		want     []string
	}{
		{name: "equal", kinds: []Kind{{Name: "a", Count: 2, Values: 3}}, says: shm.Space{{Name: "a", Count: several(2), Values: several(3)}}},
		{name: "one process", n: 1, kinds: []Kind{{Name: "a", Count: 2, Values: 3}}, says: shm.Space{{Name: "b", Count: shm.Const(1), Values: shm.Const(2)}}},
		{name: "not accessed", kinds: []Kind{{Name: "b", Count: 1, Values: 2}},
			says: shm.Space{{Name: "a", Count: shm.Const(1), Values: shm.Const(2)}, {Name: "b", Count: shm.Const(1), Values: shm.Const(2)}},
			want: []string{"no register called a is accessed"}},
		{name: "none for this n, and the next one differs", kinds: []Kind{{Name: "b", Count: 1, Values: 2}},
			says: shm.Space{{Name: "a", Count: shm.Linear(1, -2), Values: shm.Const(2)}, {Name: "b", Count: shm.Const(3), Values: shm.Const(2)}},
			want: []string{"there are 1 registers b, the specification says 3"}},
		{name: "two not accessed, and the next one differs", kinds: []Kind{{Name: "c", Count: 1, Values: 2}},
			says: shm.Space{{Name: "a", Count: shm.Const(1), Values: shm.Const(2)}, {Name: "b", Count: shm.Const(1), Values: shm.Const(2)}, {Name: "c", Count: shm.Const(1), Values: shm.Const(4)}},
			want: []string{"no register called a is accessed", "no register called b is accessed", "c takes 2 values, the specification says 4"}},
		{name: "fewer registers", kinds: []Kind{{Name: "a", Count: 1, Values: 2}}, says: shm.Space{{Name: "a", Count: shm.Const(2), Values: shm.Const(2)}},
			want: []string{"there are 1 registers a, the specification says 2"}},
		{name: "more registers, within a limit", found: 2, kinds: []Kind{{Name: "a", Count: 3, Values: 2}}, says: shm.Space{{Name: "a", Count: shm.Const(2), Values: shm.Const(2)}},
			want: []string{"there are 3 registers a, the specification says 2"}},
		{name: "a second writer", kinds: []Kind{{Name: "a", Count: 1, Values: 2}}, says: shm.Space{{Name: "a", Count: shm.Const(1), Values: shm.Const(2), SingleWriter: true}},
			want: []string{"a has more than one writer, the specification says one"}},
		{name: "a single writer that is not claimed", kinds: []Kind{{Name: "a", Count: 1, Values: 2, SingleWriter: true}}, says: shm.Space{{Name: "a", Count: shm.Const(1), Values: shm.Const(2)}}},
		{name: "a single writer that is claimed", kinds: []Kind{{Name: "a", Count: 1, Values: 2, SingleWriter: true}}, says: shm.Space{{Name: "a", Count: shm.Const(1), Values: shm.Const(2), SingleWriter: true}}},

		{name: "unbounded in the specification only", kinds: []Kind{{Name: "a", Count: 1, Values: 3}}, says: shm.Space{{Name: "a", Count: shm.Const(1)}},
			want: []string{"a takes 3 values, the specification says it is unbounded"}},
		{name: "as many values as passages", found: 3, kinds: []Kind{{Name: "a", Count: 1, Values: 3}}, says: shm.Space{{Name: "a", Count: shm.Const(1)}},
			want: []string{"a takes 3 values, the specification says it is unbounded"}},
		{name: "more values than passages", found: 2, kinds: []Kind{{Name: "a", Count: 1, Values: 3}}, says: shm.Space{{Name: "a", Count: shm.Const(1)}}},
		{name: "a limit that the user asked for", found: 3, passages: 3, kinds: []Kind{{Name: "a", Count: 1, Values: 3}}, says: shm.Space{{Name: "a", Count: shm.Const(1)}}},
		{name: "unbounded in both", kinds: []Kind{{Name: "a", Count: 1, Values: 3, Unbounded: true}}, says: shm.Space{{Name: "a", Count: shm.Const(1)}}},
		{name: "unbounded in the lock only", kinds: []Kind{{Name: "a", Count: 1, Values: 3, Unbounded: true}}, says: shm.Space{{Name: "a", Count: shm.Const(1), Values: shm.Const(3)}},
			want: []string{"a is unbounded, the specification says it takes 3 values"}},
		{name: "fewer values", kinds: []Kind{{Name: "a", Count: 1, Values: 3}}, says: shm.Space{{Name: "a", Count: shm.Const(1), Values: shm.Const(4)}},
			want: []string{"a takes 3 values, the specification says 4"}},
		{name: "fewer values, though as many as passages", found: 3, kinds: []Kind{{Name: "a", Count: 1, Values: 3}}, says: shm.Space{{Name: "a", Count: shm.Const(1), Values: shm.Const(4)}},
			want: []string{"a takes 3 values, the specification says 4"}},
		{name: "fewer values, but more than passages", found: 2, kinds: []Kind{{Name: "a", Count: 1, Values: 3}}, says: shm.Space{{Name: "a", Count: shm.Const(1), Values: shm.Const(4)}}},
		{name: "more values than the specification says", found: 2, kinds: []Kind{{Name: "a", Count: 1, Values: 5}}, says: shm.Space{{Name: "a", Count: shm.Const(1), Values: shm.Const(4)}},
			want: []string{"a takes 5 values, the specification says 4"}},

		{name: "not listed", kinds: []Kind{{Name: "a", Count: 1, Values: 2}, {Name: "b", Count: 1, Values: 2}}, says: shm.Space{{Name: "a", Count: shm.Const(1), Values: shm.Const(2)}},
			want: []string{"the specification does not list the register b"}},
		{name: "the kernel's own register", kinds: []Kind{{Name: futex.Register, Count: 1, Values: 2}}},
	} {
		n := c.n
		if n == 0 {
			n = 2
		}
		got := SpaceDisagreements(Found{Terms: Terms{N: n}, Passages: c.found, Kinds: c.kinds}, c.says, c.passages)
		require.Equal(t, c.want, got, c.name)
	}
}

// TestCompareRegisters: the class must be the one of the specification, unless the lock is opaque,
// is for one process, or is placed on few nodes and needs fewer operations there. A register that
// is unbounded against the specification is a lost claim besides.
func TestCompareRegisters(t *testing.T) {
	for _, c := range []struct {
		name   string
		placed bool
		n      int
		says   shm.Class
		found  shm.Class
		want   []string
	}{
		{name: "equal", n: 2, says: shm.Swap, found: shm.Swap},
		{name: "another", n: 2, says: shm.Swap, found: shm.TestAndSet, want: []string{"here, the class is test-and-set, the specification says swap"}},
		{name: "one process", n: 1, says: shm.Swap, found: shm.ReadWrite},
		{name: "opaque", n: 2, says: shm.Opaque, found: shm.Swap},
		{name: "a smaller class", n: 2, says: shm.Swap | shm.TestAndSet, found: shm.Swap, want: []string{"here, the class is swap, the specification says test-and-set+swap"}},
		{name: "a smaller class on few nodes", placed: true, n: 2, says: shm.Swap | shm.TestAndSet, found: shm.Swap},
		{name: "a greater class on few nodes", placed: true, n: 2, says: shm.Swap, found: shm.Swap | shm.TestAndSet, want: []string{"here, the class is test-and-set+swap, the specification says swap"}},
	} {
		var got Comparison
		Expected{Algorithm: &shm.Algorithm{Class: c.says}, Placed: c.placed}.compareRegisters(Found{Terms: Terms{N: c.n}, Class: c.found}, "here, ", &got)
		require.Equal(t, Comparison{Disagreements: c.want}, got, c.name)
	}
	for _, c := range []struct {
		name, says string
		values     shm.Formula
		unbounded  bool
		lost       []Loss
	}{
		{"bounded in the specification only", "a", shm.Const(2), true, []Loss{{verdict.BoundedRegisters, "a is unbounded"}}},
		{"unbounded in the specification too", "a", shm.Formula{}, true, nil},
		{"bounded in the lock too", "a", shm.Const(2), false, nil},
		{"of another name", "b", shm.Const(2), true, nil},
	} {
		space := shm.Space{{Name: "c", Count: shm.Const(1)}, {Name: c.says, Count: shm.Const(1), Values: c.values}}
		kinds := []Kind{{Name: "a", Count: 1, Values: 2, Unbounded: c.unbounded}, {Name: "c", Count: 1, Values: 9, Unbounded: true}}
		for range 2 { // in both orders
			var got Comparison
			Expected{Algorithm: &shm.Algorithm{Space: space}}.compareRegisters(Found{Terms: Terms{N: 2}, Kinds: kinds}, "", &got)
			require.Equal(t, c.lost, got.Lost, c.name)
			slices.Reverse(space)
		}
	}
}
