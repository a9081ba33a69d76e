package catalog

import (
	"cmp"

	"shmbench/shm"
)

// published has the bounds on remote memory references that the source of a lock states, in
// its text or, for rw/phasefairqueue and tournament/yanganderson, in its abstract. In that of
// delegation/ccsynch a combiner executes a batch of t requests, and at most h.
var published = map[string]shm.PublishedRMR{
	"queue/mcs":               {CC: "O(1)", DSM: "O(1)"},
	"queue/clh":               {CC: "O(1)", DSM: shm.RMRUnbounded},
	"queue/clhstandard":       {CC: "O(1)", DSM: shm.RMRUnbounded},
	"queue/graunkethakkar":    {CC: "O(1)", DSM: shm.RMRUnbounded},
	"tournament/yanganderson": {CC: "Θ(log n)", DSM: "Θ(log n)"},
	"numa/cmcsmcs":            {CC: "O(1)"},
	"rw/phasefairqueue":       {CC: "O(1)"},
	"abort/jjcc":              {CC: "O(1) amortized"},
	"delegation/ccsynch":      {CC: "O(h + t)"},
}

// unpublished has the reasons why no bound is known of locks for which the general reasons of
// none are not the right ones.
var unpublished = map[string]string{
	"fast/yanganderson":        otherTree,
	"fast/andersonkim":         otherTree,
	"peterson/tsay":            abstractOnly,
	"tournament/tsay":          abstractOnly,
	"tournament/zhang":         abstractOnly,
	"tournament/zhangdary":     abstractOnly,
	"queue/hemlock":            abstractOnly,
	"queue/reciprocating":      abstractOnly,
	"queue/reciprocatinggated": abstractOnly,
	"queue/hapax":              abstractOnly,
	"queue/hapaxvw":            abstractOnly,
	"numa/cna":                 abstractOnly,
	"rw/phasefair":             "the abstract states a constant of one of the paper's three locks, which is rw/phasefairqueue",
	"numa/hsynch":              abstractPromises,
	"delegation/dsmsynch":      abstractPromises,
}

const (
	otherTree        = "the paper's bound is of a composition with Yang and Anderson's tree, and this lock has Peterson's, whose references have no bound"
	abstractOnly     = "the abstract states none, and the rest of the paper was not read"
	abstractPromises = "the abstract says that there is a bound, but not which, and the rest of the paper was not read"
	measured         = 1990 // the year of the first paper of the catalog that compares locks by their remote references
)

// cited returns the algorithms with the published bounds of their sources.
func cited(all []shm.Algorithm) []shm.Algorithm {
	for i := range all {
		a := &all[i]
		name := cmp.Or(a.VariantOf, a.Name)
		p, ok := published[name]
		if ok {
			p.In = a.Source.String()
		} else {
			p.None = cmp.Or(unpublished[name], none(a.Source))
		}
		a.PublishedRMR = p
	}
	return all
}

// programs are the beginnings of the venues of sources that are programs.
var programs = []string{"github.com/", "Linux ", "Rust ", "musl ", "Go standard library", "go.dev/", "program ", "constructed "}

// none says why a source has no bound that is known here.
func none(s shm.Source) string {
	for _, begin := range programs {
		// Package check evaluates this code, and has no model of package strings.
		if len(s.Venue) >= len(begin) && s.Venue[:len(begin)] == begin {
			return "the source is a program, or a lock of this catalog, and states none"
		}
	}
	if s.Year < measured {
		return "the source is older than this measure"
	}
	return "the text of the source was not read"
}
