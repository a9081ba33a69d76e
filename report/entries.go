package report

import "encoding/json"

// Spec is what list -json says of a lock, as far as the page shows it.
type Spec struct {
	Name, Title, Family, Class string
	VariantOf                  string `json:"variant_of"`
	Source                     struct {
		Author, Title, Venue, Page string
		Year                       int
	}
	Reconstructed bool
	Simplified    string
	Modes         []string
	Kinds         []string // those of bench.Kinds
	Accesses      *struct{ Loads, Stores, RMWs int }
	MinProcs      int `json:"min_procs"`
	MaxProcs      int `json:"max_procs"`
	Claims        struct {
		DeadlockFree   bool `json:"deadlock_free"`
		StarvationFree bool `json:"starvation_free"`
		Bypass         string
		FCFS           bool
		Doorway        string
		LocalSpin      struct{ CC, DSM bool } `json:"local_spin"`
		References     struct {
			WriteThrough string `json:"cc_write_through"`
			WriteBack    string `json:"cc_write_back"`
			DSM          string
		}
		Weakest struct {
			Exclusion      string
			DeadlockFree   string `json:"deadlock_free"`
			StarvationFree string `json:"starvation_free"`
		}
	}
	Published  struct{ CC, DSM, In string } `json:"published_rmr"`
	Space      []register
	Invariants []struct{ Name string }
}

type register struct {
	Name, Count, Values string
	SingleWriter        bool `json:"single_writer"`
}

// Check is a verdict of the model checker.
type Check struct {
	Algorithm string
	N         int
	Memory    string
	Model     string `json:"register_model"`
	States    uint64
	Exhausted bool
	Exclusion string `json:"mutual_exclusion"`
	Deadlock  string `json:"deadlock_freedom"`
	Lockout   string `json:"starvation_freedom"`
	FCFS      string
	Bypass    *int64 // -1 without a bound, nil if it is not known
	Code      []string
	Modes     json.RawMessage // of passages in all modes
	Registers []struct {
		Name      string
		Count     int
		Values    int
		Unbounded bool
	}
	RMR struct {
		Caches *remote `json:"cc_write_back"`
		DSM    *remote
	}
	Disagreements []string

	// Counterexamples are those of SharedWith, if that is another lock.
	Counterexamples []trace
	SharedWith      string `json:"shared_with"`
	executions      []*Execution
}

// remote is how many references to other memory a passage makes.
type remote struct {
	Alone int
	Among int `json:"among_n"` // -1 without a bound
}

// Stress is the outcome table of a lock on real processors.
type Stress struct {
	Algorithm string
	Outcomes  []struct {
		Name, Grade string
		Count       uint64
	}
}

// Mutant is a row of the kill table.
type Mutant struct {
	Mutant, Broken, Got, Oracle string
	MustGet                     string `json:"must_get"`
	Procs                       int
	Passages                    uint64
	AsExpected                  bool   `json:"as_expected"`
	OutOfReach                  string `json:"out_of_reach"`
}
