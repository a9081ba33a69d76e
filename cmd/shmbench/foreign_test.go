package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/build/twin"
	"shmbench/internal/cli"
)

// TestPackageWithoutTheConstructor: a program for a function that the package does not have is not
// built, and the error says so, with and without the twin.
func TestPackageWithoutTheConstructor(t *testing.T) {
	of := cli.Package{Path: "../../tas", Constructor: "NewNothing"}
	for _, f := range []foreignProgram{
		{pkg: of, main: "shmbench/stress"},
		{pkg: of, main: "shmbench/stress", replace: twin.Replaced, hooks: "twin.Before = func(twin.Access) { driver.Disturb() }"},
	} {
		_, _, _, err := f.named(t.Context())
		require.ErrorContains(t, err, "package shmbench/tas has no NewNothing: name its specification, or the function that builds the lock", f.hooks)
	}
}
