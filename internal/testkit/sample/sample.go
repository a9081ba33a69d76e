// Package sample chooses, for tests that have no time for everything, some of
// many named things: locks, mutants, rows of a table. The choice depends on the
// names alone, so that a new lock does not change which others are tested.
//
// Importing the package declares the flag -all of the tests, which chooses everything.
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

// Amount returns how many things a test draws at random: few, or many with -all.
func Amount(few, many int) int {
	if *all {
		return many
	}
	return few
}

// Has reports whether the thing of this name is in a sample of about one in oneIn, or
// everything is tested.
func Has(name string, oneIn int) bool { return *all || Drawn(name, oneIn) }

// Drawn reports whether the thing of this name is in a sample of about one in oneIn, with
// -all as without it. It is for things that another instrument tests in full.
func Drawn(name string, oneIn int) bool { return hash(name)%uint64(oneIn) == 0 }

func hash(name string) uint64 {
	sum := sha256.Sum256([]byte(name))
	return binary.BigEndian.Uint64(sum[:])
}

// Of returns about one in oneIn things of a list, at least one of them, in their order,
// and logs the names of those that it chose. With -all it returns all. Different tests choose
// different things.
func Of[T any](t testing.TB, list []T, name func(T) string, oneIn int) []T {
	t.Helper()
	return some(t, list, name, func(name string) bool { return Has(name, oneIn) })
}

// Some returns about one in oneIn things of a list, as Of does, with -all as without it. It
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
	if !*all {
		t.Skip("only with -all: it takes long")
	}
}
