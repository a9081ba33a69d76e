package stress

// Kill is a row of the kill table: what a stress run found of a lock that is broken on purpose.
type Kill struct {
	Mutant string `json:"mutant"`
	Broken string `json:"broken"`
	Procs  int    `json:"procs"` // that it was killed with, or else the fewest that show the fault
	// MustGet is the verdict that every instrument must reach.
	MustGet string `json:"must_get"`
	// Got is Killed, "interesting" or "nothing".
	Got        string  `json:"got"`
	Oracle     string  `json:"oracle,omitempty"`
	Seconds    float64 `json:"seconds"`
	Passages   uint64  `json:"passages"`
	Seed       uint64  `json:"seed"`
	AsExpected bool    `json:"as_expected"`
	OutOfReach string  `json:"out_of_reach,omitempty"`
}

// Killed is what a mutant got if a forbidden outcome was seen.
const Killed = "killed"
