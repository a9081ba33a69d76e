package shm

import "fmt"

// PublishedRMR is a bound on the remote memory references of a passage that a publication
// states. Package check measures the references for few processes; a bound for every n is
// a theorem of the publication.
type PublishedRMR struct {
	// CC and DSM are the bounds with coherent caches and with distributed memory, such as
	// "O(1)" or "unbounded"; empty if the publication does not say.
	CC  string `json:"cc,omitempty"`
	DSM string `json:"dsm,omitempty"`
	// In is the publication, as a citation.
	In string `json:"in,omitempty"`
	// None says why no bound is known; empty if one is.
	None string `json:"none,omitempty"`
}

// RMRUnbounded is the bound of a lock whose passages have no bound.
const RMRUnbounded = "unbounded"

// String returns the bounds, "O(1) with coherent caches, unbounded with distributed memory", or
// why none is known.
func (p PublishedRMR) String() string {
	switch {
	case p.None != "":
		return "none: " + p.None
	case p.CC == p.DSM && p.CC != "":
		return p.CC + " with coherent caches and with distributed memory"
	case p.DSM == "":
		return p.CC + " with coherent caches"
	case p.CC == "":
		return p.DSM + " with distributed memory"
	}
	return p.CC + " with coherent caches, " + p.DSM + " with distributed memory"
}

// Agrees returns an error if a published bound contradicts what the specification claims,
// which package check proves or refutes for few processes: a passage has a bound in a model
// of memory exactly if a process spins locally there.
func (p PublishedRMR) Agrees(spins LocalSpin) error {
	for _, m := range []struct {
		model, bound string
		spins        bool
	}{{"coherent caches", p.CC, spins.CC}, {"distributed memory", p.DSM, spins.DSM}} {
		if m.bound != "" && (m.bound == RMRUnbounded) == m.spins {
			return fmt.Errorf("the published bound with %s is %s, and the specification claims local spinning: %t", m.model, m.bound, m.spins)
		}
	}
	return nil
}
