package shm

// RMRModel is a cost model of remote memory references.
type RMRModel string

// The cost models. With coherent caches a read is remote if the process has no valid copy.
// Every write is remote with write-through. With write-back a write is remote unless the
// process wrote last and no other process has read since. With distributed memory an access
// is remote if the register lies in the memory of another process.
const (
	WriteThrough RMRModel = "cc write-through"
	WriteBack    RMRModel = "cc write-back"
	Distributed  RMRModel = "dsm"
)

// RMRModels are all cost models.
var RMRModels = []RMRModel{WriteThrough, WriteBack, Distributed}

// References are exact worst cases: the most remote memory references that one process
// makes in one passage by Lock and Unlock, among n processes. Nil claims nothing, and
// Unbounded claims that there is no bound. Package check confirms a formula for each n that
// it explores; a formula for every n is a claim that a few numbers of processes cannot prove.
type References struct {
	WriteThrough *Formula `json:"cc_write_through,omitempty"`
	WriteBack    *Formula `json:"cc_write_back,omitempty"`
	Distributed  *Formula `json:"dsm,omitempty"`
}

// In returns the formula in a model, or nil.
func (r References) In(m RMRModel) *Formula {
	switch m {
	case WriteThrough:
		return r.WriteThrough
	case WriteBack:
		return r.WriteBack
	}
	return r.Distributed
}
