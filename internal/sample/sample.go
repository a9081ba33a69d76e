// Package sample chooses, for tests that have no time for everything, some of
// many named things: locks, mutants, rows of a table. The choice depends on the
// names alone, so that a new lock does not change which others are tested.
//
// Importing the package declares two flags of the tests. -all chooses everything.
// -part K/N chooses the sample and, of everything, the Kth of N parts of about the
// same size, so that N runs together test everything.
package sample

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"slices"
	"strings"
	"testing"
)

var all = flag.Bool("all", false, "test everything, and not a sample of it")

// All reports whether everything is to be tested.
func All() bool { return *all }

// Chosen reports whether the thing of this name is tested whatever the sample is: with -all,
// or because it is in the part of -part.
func Chosen(name string) bool { return *all || part.has(name) }

// Whole reports whether a test is to do everything: with -all, or because it is in the
// part of -part.
func Whole(t testing.TB) bool { return Chosen(t.Name()) }

// Has reports whether the thing of this name is in a sample of about one in so many, or is
// tested whatever the sample is.
func Has(name string, oneIn int) bool { return Chosen(name) || Drawn(name, oneIn) }

// Drawn reports whether the thing of this name is in a sample of about one in so many, with
// -all as without it. It is for things that another instrument tests in full.
func Drawn(name string, oneIn int) bool { return hash(name)%uint64(oneIn) == 0 }

func hash(name string) uint64 {
	sum := sha256.Sum256([]byte(name))
	return binary.BigEndian.Uint64(sum[:])
}

// Of returns about one in so many things of a list, at least one of them, in their order,
// and logs the names of those that it chose. With -all it returns all, with -part also those of
// the part. Different tests choose different things.
func Of[T any](t testing.TB, list []T, name func(T) string, oneIn int) []T {
	t.Helper()
	return some(t, list, name, func(name string) bool { return Has(name, oneIn) })
}

// Some returns about one in so many things of a list, as Of does, with -all as without it. It
// is for things that another instrument tests in full.
func Some[T any](t testing.TB, list []T, name func(T) string, oneIn int) []T {
	t.Helper()
	return some(t, list, name, func(name string) bool { return Drawn(name, oneIn) })
}

func some[T any](t testing.TB, list []T, name func(T) string, has func(string) bool) []T {
	t.Helper()
	of := func(x T) string { return t.Name() + " " + name(x) }
	chosen := slices.DeleteFunc(slices.Clone(list), func(x T) bool { return !has(of(x)) })
	if len(chosen) == 0 && len(list) > 0 {
		chosen = append(chosen, slices.MinFunc(list, func(x, y T) int { return cmp.Compare(hash(of(x)), hash(of(y))) }))
	}
	var names []string
	for _, x := range chosen {
		names = append(names, name(x))
	}
	t.Logf("%d of %d tested: %s", len(chosen), len(list), strings.Join(names, ", "))
	return chosen
}

// NeedsAll skips a test of what another test tests in small, and of what takes about a second
// of processor time or more, unless it is to do everything.
func NeedsAll(t testing.TB) {
	t.Helper()
	if !Whole(t) {
		t.Skip("only with -all, or in the part of -part: it takes long")
	}
}

// Name returns its argument, for lists of names.
func Name(name string) string { return name }
