package catalog

import (
	"cmp"

	"shmbench/shm"
)

// published has the bounds on remote memory references that the source of a lock states. A
// lock without an entry has a source that states none, or that was not read. The bounds of
// the papers of fast/yanganderson and fast/andersonkim are of a composition with Yang and
// Anderson's tree, and these locks have Peterson's, whose references have no bound.
var published = map[string]shm.PublishedRMR{
	"queue/mcs":               {CC: "O(1)", DSM: "O(1)"},
	"queue/clh":               {CC: "O(1)", DSM: shm.RMRUnbounded},
	"queue/clhstandard":       {CC: "O(1)", DSM: shm.RMRUnbounded},
	"queue/graunkethakkar":    {CC: "O(1)", DSM: shm.RMRUnbounded},
	"tournament/yanganderson": {CC: "Θ(log n)", DSM: "Θ(log n)"},
	"abort/jjcc":              {CC: "O(1) amortized"},
}

// cited returns the algorithms with the published bounds of their sources.
func cited(all []shm.Algorithm) []shm.Algorithm {
	for i := range all {
		a := &all[i]
		if p, ok := published[cmp.Or(a.VariantOf, a.Name)]; ok {
			p.In = a.Source.String()
			a.PublishedRMR = p
		}
	}
	return all
}
