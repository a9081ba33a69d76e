package stress

import "fmt"

// Grade says what an outcome means for the lock.
type Grade uint8

const (
	// Acceptable is what the specification leads one to expect.
	Acceptable Grade = iota
	// Interesting is allowed by the specification and worth knowing.
	Interesting
	// Forbidden breaks a claim of the specification, or mutual exclusion.
	Forbidden
)

var gradeNames = [...]string{"acceptable", "interesting", "forbidden"}

// String returns the grade in one lower-case word.
func (g Grade) String() string { return gradeNames[g] }

// MarshalText encodes the grade as its name.
func (g Grade) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText decodes the grade from its name.
func (g *Grade) UnmarshalText(name []byte) error {
	for i, n := range gradeNames {
		if n == string(name) {
			*g = Grade(i)
			return nil
		}
	}
	return fmt.Errorf("there is no grade %q", name)
}

// An Outcome is a kind of thing that can happen, and how often it did.
type Outcome struct {
	Name  string `json:"name"`
	Grade Grade  `json:"grade"`
	Count uint64 `json:"count"`
	// First describes the first occurrence; empty for a kind that needs no
	// description.
	First string `json:"first,omitempty"`
}

// The kinds of outcomes, in the order in which reports list them.
const (
	passages     = "passages"
	readers      = "of these, readers'"
	executions   = "of these, by Execute"
	together     = "looks that saw several readers inside"
	givenUp      = "entries that failed or were given up"
	notOvertaken = "waits without being overtaken"
	withinBound  = "waits overtaken within the claimed bound"
	noBound      = "waits overtaken, no bound claimed"
	manyNoBound  = "waits overtaken more than 100 times"
	slow         = "waits as long as the deadline"
	ownerSeen    = "overlap: owner register"
	wordsTorn    = "overlap: plain words"
	countsLost   = "overlap: counts"
	beyondBound  = "overtaken beyond the claimed bound"
	outOfOrder   = "overtaken by a latecomer"
	starved      = "starved"
	hung         = "hung"
	panicked     = "panicked"
	misexecuted  = "request not executed once, or another's result"
)

var kinds = []struct {
	name  string
	grade Grade
}{
	{passages, Acceptable},
	{readers, Acceptable},
	{executions, Acceptable},
	{together, Acceptable},
	{givenUp, Acceptable},
	{notOvertaken, Acceptable},
	{withinBound, Acceptable},
	{noBound, Acceptable},
	{manyNoBound, Interesting},
	{slow, Interesting},
	{ownerSeen, Forbidden},
	{wordsTorn, Forbidden},
	{countsLost, Forbidden},
	{misexecuted, Forbidden},
	{beyondBound, Forbidden},
	{outOfOrder, Forbidden},
	{starved, Forbidden},
	{hung, Forbidden},
	{panicked, Forbidden},
}

// manyOvertakings is the number of overtakings that are worth knowing where no bound is
// claimed.
const manyOvertakings = 100
