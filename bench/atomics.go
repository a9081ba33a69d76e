package bench

// ownAtomics says how many atomic stores and read-modify-writes, by the name
// of the operation as Machine measures it, a lock makes in one passage when
// one process is alone. A test counts them in the locks' own source, with
// sync/atomic replaced, and holds this table against the counts.
//
// Locks whose registers are out of sight (a channel, sync.Mutex) are not here,
// nor the tournament trees, which have no node for one process.
var ownAtomics = map[string]map[string]int{
	"bakery/lamport":      {"store-bool": 2, "store-uint64": 2},
	"peterson/asymmetric": {"store-uint32": 2},
	"peterson/priority":   {"store-uint32": 4},
	"peterson/peterson":   {"store-uint32": 3},
	"peterson/filter":     {"store-uint32": 1},
	"tas/tas":             {"swap-bool": 1, "store-bool": 1},
	"tas/ttas":            {"swap-bool": 1, "store-bool": 1},
	"tas/backoff":         {"swap-bool": 1, "store-bool": 1},
	"cas/cas":             {"cas-uint32": 1, "store-uint32": 1},
	"cas/testfirst":       {"cas-uint32": 1, "store-uint32": 1},
	"queue/ticket":        {"add-uint32": 1, "store-uint32": 1},
	"queue/anderson":      {"add-uint32": 1, "store-bool": 2},
	"queue/mcs":           {"store-pointer": 1, "swap-pointer": 1, "cas-pointer": 1},
	"queue/clh":           {"store-bool": 2, "swap-pointer": 1},
	"baseline/futex":      {"cas-uint32": 1, "swap-uint32": 1},
}
