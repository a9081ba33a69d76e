package check

import (
	"strings"

	"shmbench/internal/testkit/sample"
	"shmbench/shm"
)

// Which locks these tests look at. With -all it is half of them: "shmbench check" of the
// whole catalog, which .ci/run has too, proves the claims of each and replays each.

// always are the locks that the tests check also without -all, with two and with three
// processes. The comment beside each lock says why.
var always = map[string]bool{
	"baseline/mutex":    true, // opaque
	"peterson/peterson": true, // an invariant, and reads and writes alone
	"dekker/dekker":     true, // reads and writes alone
	"tas/tas":           true, // starvation
	"queue/mcs":         true, // an invariant of pointers
	"queue/mcs-packed":  true, // another layout
	"queue/ticket":      true, // registers without a bound

	"tas/tas-released": true, "tas/ttas-released": true, "cas/cas-released": true, "queue/ticket-released": true,
}

// expensive are the locks that cost more than 0.4 seconds of processor time each, ten
// times what the others do.
var expensive = map[string]bool{
	"bakery/lamport": true, "bakery/blackwhite": true, "bakery/boulangerie": true, "bakery/hehnershyamasundar": true,
	"numa/ctkttkt": true, "queue/partitioned": true, "queue/fissile": true, "queue/malthusian": true,
	"queue/hapax": true, "queue/hapaxvw": true,
}

// shareWith are the locks whose other layout the tests check too: it has the same
// automata, and their verdicts.
var shareWith = map[string]bool{"bakery/lamport": true, "peterson/filter": true, "tournament/priority": true, "queue/mcs": true, "queue/ticket": true}

// familyOf returns the family of a lock of the catalog.
func familyOf(name string) string {
	family, _, _ := strings.Cut(name, "/")
	return family
}

// usual reports whether a lock of the catalog is of the family of one of those that the
// tests always check.
func usual(a shm.Algorithm) bool {
	for name := range always {
		if familyOf(name) == familyOf(a.Name) {
			return true
		}
	}
	return false
}

// opened reports whether the tests read and compile the family of a lock of the catalog.
func opened(a shm.Algorithm) bool { return usual(a) || sample.All() }

// looksAt reports whether the tests check a lock of the catalog for n processes.
func looksAt(a shm.Algorithm, n int) bool {
	if a.VariantOf != "" && a.Stores == shm.Sequential && !shareWith[a.VariantOf] {
		return false
	}
	if always[a.Name] {
		return true
	}
	switch {
	case !opened(a):
		return false // its family is not compiled
	case expensive[a.Name] || expensive[a.VariantOf]:
		return false
	case a.VariantOf != "":
		return a.Stores == shm.Released && oneIn(a.Name, 40, 4)
	case n > 2:
		return oneIn(a.Name+", three processes", 2, 2)
	}
	return oneIn(a.Name, 8, 2)
}

// oneIn reports whether a name is in a sample of one in usual names, or with -all of one in
// all names.
func oneIn(name string, usual, all int) bool {
	if sample.All() {
		return sample.Drawn(name, all)
	}
	return sample.Drawn(name, usual)
}

// Affordable reports whether the tests look at a lock of the catalog that is named
// in a table of theirs: not at those that are expensive, without -all.
func Affordable(name string) bool { return sample.All() || !expensive[name] }
