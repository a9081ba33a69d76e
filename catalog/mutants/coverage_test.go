package mutants_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/catalog/mutants"
	"shmbench/shm"
)

// combined are the locks without a line of their own, and of what they are made: the
// mutants are there.
var combined = map[string][]string{
	"fcfs/hesselink24tas":    {"fcfs/hesselink24", "tas/tas"},
	"elevator/flagbl":        {"elevator/flag", "elevator/linearbl"},
	"elevator/flaglf":        {"elevator/flag", "elevator/linearlf"},
	"elevator/treebl":        {"elevator/tree", "elevator/linearbl"},
	"tournament/priority":    {"tournament/peterson", "peterson/priority"},
	"tournament/kessels":     {"tournament/petersonbuhr", "peterson/kessels"},
	"tournament/tsay":        {"tournament/petersonbuhr", "peterson/tsay"},
	"tournament/doranthomas": {"tournament/petersonbuhr", "dekker/doranthomas"},
	"tournament/rwsafe":      {"tournament/petersonbuhr", "dekker/rwsafe"},
	"rw/bravo":               {"rw/bravoreaderpref", "rw/phasefair"},
}

// TestEveryLockIsBroken: every lock of the catalog has two mutants at least, or is made
// of others that have.
func TestEveryLockIsBroken(t *testing.T) {
	count := map[string]int{}
	for _, a := range catalog.All() {
		for _, m := range mutants.All() {
			if m.Of == a.Name || m.Of == "" && strings.HasPrefix(m.Title, a.Title+": ") {
				count[a.Name]++
			}
		}
	}
	for _, a := range catalog.All() {
		if a.VariantOf != "" || a.Class&shm.Opaque != 0 {
			continue
		}
		made := combined[a.Name]
		for _, part := range made {
			require.GreaterOrEqual(t, count[part], 2, "%s, for %s", part, a.Name)
		}
		if made == nil && count[a.Name] < 2 {
			t.Errorf("%s has %d mutants", a.Name, count[a.Name])
		}
	}
}
