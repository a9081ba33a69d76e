package shm

import "slices"

// RegisterModel is what a read may return that overlaps a write, after Lamport,
// "On Interprocess Communication", Distributed Computing 1(2), 1986: any value of
// the register's range on safe registers, the old value or one that is being
// written on regular ones, and on atomic ones reads and writes are as if each were
// made at one moment. Words to which read-modify-write operations are made are
// always atomic.
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

// Weakest says on which registers a lock keeps what it has on atomic ones: the
// weakest model of each. What is empty is not claimed; a lock of reads and writes
// claims each that it has.
type Weakest struct {
	Exclusion      RegisterModel `json:"exclusion,omitempty"`
	DeadlockFree   RegisterModel `json:"deadlock_free,omitempty"`
	StarvationFree RegisterModel `json:"starvation_free,omitempty"`
}
