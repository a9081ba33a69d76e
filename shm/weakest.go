package shm

import "slices"

// RegisterModel is the set of values that a read may return if it overlaps a write, after
// Lamport, "On Interprocess Communication", Distributed Computing 1(2), 1986. On safe
// registers it is any value of the register's range. On regular registers it is the old value
// or a value that is being written. On atomic registers, reads and writes are as if each were
// made at one moment. Words with read-modify-write operations are always atomic.
type RegisterModel string

// The register models, each weaker than the one before it.
const (
	Atomic  RegisterModel = "atomic"
	Regular RegisterModel = "regular"
	Safe    RegisterModel = "safe"
)

// RegisterModels returns the models, the strongest first.
func RegisterModels() []RegisterModel { return []RegisterModel{Atomic, Regular, Safe} }

// Covers reports whether what holds on registers of model m holds on those of
// another: that is not weaker. A model without a name covers none.
func (m RegisterModel) Covers(other RegisterModel) bool {
	all := RegisterModels()
	return m != "" && slices.Index(all, other) <= slices.Index(all, m)
}

// Weakest has the weakest registers on which a lock keeps each property that it has on atomic
// ones. A field that is empty claims nothing. A lock of reads and writes claims each property
// that it has.
type Weakest struct {
	Exclusion      RegisterModel `json:"exclusion,omitempty"`
	DeadlockFree   RegisterModel `json:"deadlock_free,omitempty"`
	StarvationFree RegisterModel `json:"starvation_free,omitempty"`
}
