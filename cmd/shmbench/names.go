package main

import (
	"fmt"
	"regexp"

	"shmbench/catalog"
	"shmbench/catalog/knownbroken"
	"shmbench/catalog/mutants"
	"shmbench/internal/cli"
	"shmbench/shm"
)

func locks() cli.Named[shm.Algorithm] {
	return cli.Named[shm.Algorithm]{Kind: "lock", All: catalog.All(), Name: func(a shm.Algorithm) string { return a.Name }, List: "shmbench list shows the names", Elsewhere: wrongLock,
		VariantOf: func(a shm.Algorithm) string { return a.VariantOf }}
}

func brokenLocks() cli.Named[mutants.Mutant] {
	return cli.Named[mutants.Mutant]{Kind: "mutant", All: mutants.All(), Name: func(m mutants.Mutant) string { return m.Name }, List: "shmbench list -mutants shows the names"}
}

// wrongLock says that a name belongs to a known-broken lock or to a mutant.
func wrongLock(re *regexp.Regexp) string {
	for _, e := range knownbroken.All() {
		if re.MatchString(e.Name) {
			return fmt.Sprintf("%s was published and is wrong: shmbench check -known-broken -alg %[1]s shows it", e.Name)
		}
	}
	for _, m := range mutants.All() {
		if re.MatchString(m.Name) {
			return fmt.Sprintf("%s is a mutant: shmbench check -mutants -alg %[1]s shows it", m.Name)
		}
	}
	return ""
}
