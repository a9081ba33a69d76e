package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/shm"
)

// TestReferences: each lock has a formula for each memory, except those that the comment of
// catalog/references.go names. A formula has a bound exactly where the specification claims local
// spinning, and grows no faster than the published bound. A wrong bound is noticed.
func TestReferences(t *testing.T) {
	without := map[string]string{}
	for _, a := range catalog.All() {
		require.Empty(t, contradictions(a), a.Name)
		for _, m := range shm.RMRModels {
			if a.VariantOf == "" && a.Claims.References.In(m) == nil {
				without[a.Name] += string(m) + ", "
			}
		}
	}
	const cached, all = "cc write-through, cc write-back, ", "cc write-through, cc write-back, dsm, "
	require.Equal(t, map[string]string{"queue/fissile": cached, "recoverable/rjjj": cached,
		"baseline/mutex": all, "baseline/rwmutex": all, "baseline/channel": all}, without)
	wrong := get(t, "queue/mcs")
	wrong.Claims.References.WriteBack = new(shm.Linear(1, 6))
	require.Equal(t, []string{"cc write-back: n+6 grows faster than the published O(1)"}, contradictions(wrong))
	wrong.Claims.References.WriteBack = new(shm.Formula{})
	require.Len(t, contradictions(wrong), 2)
}

// contradictions says where a specification's formulas contradict its other claims and the
// published bounds.
func contradictions(a shm.Algorithm) (all []string) {
	for _, m := range shm.RMRModels {
		f := a.Claims.References.In(m)
		if f == nil || f.Growth() == shm.UnknownGrowth { // a bound for a few n is none for all
			continue
		}
		spins, published := a.Claims.LocalSpin.CC, a.PublishedRMR.CC
		if m == shm.Distributed {
			spins, published = a.Claims.LocalSpin.DSM, a.PublishedRMR.DSM
		}
		if bounded := f.Of(min(a.MaxProcs, 1024)) != shm.Unbounded; bounded != spins {
			all = append(all, string(m)+": "+f.String()+" and the claim of local spinning differ")
		}
		growth := slices.Index(shm.Growths, f.Growth())
		most := slices.Index(shm.Growths, shm.Growth(strings.Replace(published, "Θ", "O", 1)))
		if most >= 0 && growth > most {
			all = append(all, string(m)+": "+f.String()+" grows faster than the published "+published)
		}
	}
	return all
}
