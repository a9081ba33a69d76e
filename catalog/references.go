package catalog

import (
	"cmp"

	"shmbench/shm"
)

// references are the exact remote memory references of a passage. Package check confirms
// them for each n that it explores. A lock whose numbers for two, three and four processes are on no
// formula of n has the numbers that were found. A lock without a bound for some n has none for more
// processes. queue/fissile and recoverable/rjjj have no entry with caches: check limits each
// process to two passages, and with three one passage costs one reference more. baseline/mutex,
// rwmutex and channel are of the Go runtime: the checker does not see their accesses.
var references = map[string]shm.References{
	"bakery/lamport":             on(shm.Found(10, 14), shm.Found(9, 14), shm.Formula{}),
	"bakery/hehnershyamasundar":  on(shm.Found(8, 12), shm.Found(8, 12), two(3)),
	"bakery/bounded":             on(shm.Found(11, 15), shm.Found(10, 15), two(6)),
	"bakery/blackwhite":          on(shm.Found(12), shm.Found(11), shm.Formula{}),
	"bakery/boulangerie":         on(shm.Found(9), shm.Found(8), shm.Formula{}),
	"dekker/dekker":              cached(shm.Const(13)),
	"dekker/rwsafe":              on(shm.Const(15), shm.Const(12), shm.Formula{}),
	"dekker/rwsafeb":             on(shm.Const(15), shm.Const(12), shm.Formula{}),
	"dekker/doranthomas":         cached(shm.Const(11)),
	"dijkstra/dijkstra":          remote,
	"dijkstra/knuth":             on(shm.Formula{}, two(17), shm.Formula{}),
	"dijkstra/debruijn":          on(shm.Formula{}, two(17), shm.Formula{}),
	"dijkstra/eisenbergmcguire":  on(shm.Formula{}, two(19), shm.Formula{}),
	"burns/burnslynch":           remote,
	"burns/burns":                remote,
	"burns/onebit":               remote,
	"burns/threebit":             on(shm.Found(22), shm.Found(20), shm.Formula{}),
	"burns/roundrobin":           on(shm.Found(16, 40), shm.Found(14, 35), shm.Formula{}),
	"fcfs/lycklamahadzilacos":    on(shm.Found(17), shm.Found(15), two(9)),
	"fcfs/lycklamabuhr":          on(shm.Found(16), shm.Found(14), two(9)),
	"fcfs/hesselink13":           on(shm.Found(22), shm.Found(15), two(12)),
	"fcfs/hesselink15":           on(shm.Found(16, 30), shm.Found(14, 26), two(9)),
	"fcfs/hesselink15exit":       on(shm.Found(16, 30), shm.Found(14, 26), two(9)),
	"fcfs/hesselink24":           on(shm.Found(14, 27), shm.Found(13, 24), two(8)),
	"fcfs/hesselink24tas":        on(shm.Formula{}, shm.Found(9), shm.Formula{}),
	"fcfs/aravindf3":             on(shm.Found(20, 42), shm.Found(13, 29), two(12)),
	"fcfs/aravindf4":             on(shm.Found(15, 27), shm.Found(13, 25), two(8)),
	"fcfs/aravindblru":           on(shm.Formula{}, shm.Found(24), shm.Formula{}),
	"fcfs/aravindblrualt":        on(shm.Found(28), shm.Found(27), shm.Formula{}),
	"peterson/asymmetric":        remote,
	"peterson/priority":          cached(shm.Const(14)),
	"peterson/attiyawelch":       cached(shm.Const(13)),
	"peterson/peterson":          cached(shm.Const(6)),
	"peterson/kessels":           on(shm.Const(8), shm.Const(8), shm.Const(3)),
	"peterson/anderson":          on(shm.Const(10), shm.Const(10), shm.Const(6)),
	"peterson/petersonfischer":   on(shm.Const(8), shm.Const(8), shm.Const(3)),
	"peterson/tsay":              cached(shm.Const(6)),
	"peterson/filter":            cached(shm.Found(6, 20, 46)),
	"peterson/blockwoo":          cached(shm.Found(6, 12, 21)),
	"elevator/linear":            cached(shm.Linear(3, 3)),
	"elevator/linearbl":          on(shm.Linear(4, 6), shm.UpTo(2, shm.Const(13), shm.Linear(4, 6)), shm.Formula{}),
	"elevator/linearlf":          on(shm.Found(20, 24), shm.Found(17, 23), shm.Formula{}),
	"elevator/flag":              cached(shm.Linear(1, 9)),
	"elevator/flagbl":            on(shm.Linear(3, 10), shm.UpTo(2, shm.Const(15), shm.Linear(3, 10)), shm.Formula{}),
	"elevator/flaglf":            on(shm.Found(22, 25), shm.Found(19, 24), shm.Formula{}),
	"elevator/tree":              cached(shm.Found(15)),
	"elevator/treebl":            on(shm.Found(20), shm.Found(19), shm.Formula{}),
	"szymanski/flag":             on(shm.Linear(8, -4), shm.Linear(8, -4), two(5)),
	"szymanski/buhr":             on(shm.Linear(8, -4), shm.Linear(8, -4), two(5)),
	"szymanski/bits":             on(shm.Found(17, 26), shm.Found(17, 26), two(8)),
	"szymanski/mended":           on(shm.Found(17, 32), shm.Found(16, 32), two(8)),
	"tournament/priority":        cached(shm.Found(14, 29)),
	"tournament/peterson":        cached(shm.Logarithmic(6, 0)),
	"tournament/petersonbuhr":    cached(shm.Logarithmic(6, 0)),
	"tournament/kessels":         on(shm.Logarithmic(8, 0), shm.Logarithmic(8, 0), two(3)),
	"tournament/tsay":            cached(shm.Logarithmic(6, 0)),
	"tournament/doranthomas":     cached(shm.Logarithmic(11, 0)),
	"tournament/rwsafe":          on(shm.Found(15, 31), shm.Found(12, 26), shm.Formula{}),
	"tournament/petersonfischer": on(shm.Found(8, 17), shm.Found(8, 17), two(3)),
	"tournament/lynch":           cached(shm.Found(6, 12, 13)),
	"tournament/yanganderson":    yangAnderson,
	"tournament/zhang":           remote,
	"tournament/zhangdary":       remote,
	"fast/lamport":               remote,
	"fast/triangle":              on(shm.Found(22), shm.Found(20), shm.Formula{}),
	"fast/yanganderson":          on(shm.Found(20), shm.Found(18), shm.Formula{}),
	"fast/andersonkim":           on(shm.Found(26), shm.Found(24), shm.Formula{}),
	"tas/tas":                    remote,
	"tas/ttas":                   remote,
	"tas/backoff":                remote,
	"cas/cas":                    remote,
	"cas/testfirst":              remote,
	"queue/ticket":               cached(shm.Linear(1, 2)),
	"queue/ticketbackoff":        cached(shm.Linear(1, 2)),
	"queue/partitioned":          cached(shm.Found(4, 4)),
	"queue/twa":                  cached(shm.Found(5, 8)),
	"queue/twaid":                cached(shm.Found(5, 8)),
	"queue/anderson":             cached(shm.Const(5)),
	"queue/graunkethakkar":       cached(shm.Const(5)),
	"queue/graunkethakkarlist":   cached(shm.Const(4)),
	"queue/mcs":                  on(shm.Const(8), shm.Const(8), shm.Const(4)),
	"queue/mcsk42":               remote,
	"queue/mcsh":                 on(shm.Const(11), shm.Const(10), shm.Formula{}),
	"queue/mcsswap":              on(shm.Const(9), shm.UpTo(2, shm.Const(8), shm.Const(9)), shm.Const(5)),
	"queue/clh":                  cached(shm.Const(5)),
	"queue/clhstandard":          cached(shm.Const(6)),
	"queue/hemlock":              cached(shm.Const(7)),
	"queue/reciprocating":        on(shm.Const(6), shm.UpTo(2, shm.Const(5), shm.Const(6)), shm.Const(4)),
	"queue/reciprocatinggated":   cached(shm.Const(7)),
	"queue/fissile":              polled,
	"queue/qspin":                remote,
	"queue/shfl":                 on(shm.Found(15, 16), shm.Found(14, 15), shm.Formula{}),
	"queue/malthusian":           on(shm.Found(11, 17), shm.Found(11, 16), two(9)),
	"queue/hapax":                cached(shm.Linear(1, 3)),
	"queue/hapaxvw":              on(shm.Found(9), shm.Found(8), shm.Formula{}),
	"numa/cbomcs":                remote,
	"numa/ctkttkt":               cached(shm.Found(7, 10)),
	"numa/cmcsmcs":               cohort,
	"numa/hmcs":                  on(shm.Found(12, 17), shm.Found(11, 17), two(4)),
	"numa/ahmcs":                 on(shm.Found(14), shm.Found(13), two(6)),
	"numa/cna":                   cached(shm.Found(11, 14)),
	"numa/fissile":               on(shm.Formula{}, shm.Found(23), shm.Formula{}),
	"numa/hclh":                  on(shm.Found(9, 12), shm.Found(8, 12), shm.Formula{}),
	"numa/hticket":               on(shm.Found(10), shm.Found(7), shm.Formula{}),
	"numa/hbo":                   remote,
	"numa/hsynch":                on(shm.Found(17), shm.Found(15), shm.Formula{}),
	"rw/readerpref":              remote,
	"rw/writerpref":              on(shm.Linear(1, 5), shm.Linear(1, 4), shm.Formula{}),
	"rw/taskfair":                cached(shm.Linear(1, 2)),
	"rw/phasefair":               on(shm.Linear(1, 5), shm.Linear(1, 4), shm.Formula{}),
	"rw/phasefairqueue":          on(shm.Const(18), shm.Const(15), shm.Const(14)),
	"rw/readerprefqueue":         on(shm.Const(14), shm.Const(10), shm.Const(12)),
	"rw/qrwlock":                 cached(shm.Linear(1, 13)),
	"rw/ksuh":                    on(shm.Const(10), shm.Const(10), shm.Const(5)),
	"rw/crwnp":                   on(shm.Const(9), shm.Const(9), shm.Const(5)),
	"rw/crwrp":                   on(shm.Const(9), shm.Const(9), shm.Const(5)),
	"rw/crwwp":                   on(shm.Const(10), shm.Const(10), shm.Const(6)),
	"rw/bravo":                   on(shm.Linear(1, 6), shm.Linear(1, 5), shm.Formula{}),
	"rw/bravoreaderpref":         remote,
	"abort/clhtry":               cached(shm.Const(6)),
	"abort/mcstry":               on(shm.Const(14), shm.Const(13), shm.Const(6)),
	"abort/clhnb":                on(shm.Found(10), shm.Found(10), two(5)),
	"abort/mcsnb":                on(shm.Found(14), shm.Found(11), shm.Const(5)),
	"abort/osq":                  on(shm.Found(11, 12), shm.Found(10, 11), shm.Formula{}),
	"abort/jjcc":                 cached(shm.Const(5)),
	"abort/mcstp":                remote,
	"abort/tolock":               on(shm.Const(5), shm.Const(5), two(3)),
	"abort/composite":            remote,
	"abort/compositefast":        remote,
	"recoverable/rtas":           remote,
	"recoverable/rpeterson":      cached(shm.Const(8)),
	"recoverable/rptree":         cached(shm.Logarithmic(9, 0)),
	"recoverable/rya":            on(shm.Const(15), shm.Const(12), shm.Const(9)),
	"recoverable/rbakery":        on(shm.Found(10, 14), shm.Found(9, 14), shm.Formula{}),
	"recoverable/rbakeryinside":  on(shm.Found(12), shm.Found(10), shm.Formula{}),
	"recoverable/rticket":        remote,
	"recoverable/rclh":           remote,
	"recoverable/rmcs":           remote,
	"recoverable/rjjj":           polled,
	"delegation/ccsynch":         on(shm.Found(29), shm.Found(26), shm.Formula{}),
	"delegation/dsmsynch":        on(shm.Found(20), shm.Found(18), shm.Formula{}),
	"delegation/flatcombining":   on(shm.Found(33), shm.Found(29), shm.Formula{}),
	"baseline/futex":             remote,
	"baseline/rustmutex":         remote,
	"baseline/musllock":          remote,
	"baseline/webkitlock":        remote,
	"baseline/parkinglot":        remote,
}

// two is k for two processes, and unbounded for more.
func two(k int) shm.Formula { return shm.UpTo(2, shm.Const(k), shm.Formula{}) }

// remote is of a lock without any bound, and polled of one that has none with distributed memory.
var (
	remote = on(shm.Formula{}, shm.Formula{}, shm.Formula{})
	polled = shm.References{Distributed: &shm.Formula{}}
)

// yangAnderson has the sum over the nodes that a process passes. At most one process from each side
// is in the entry or exit section of a node at a time. Each node therefore costs what it costs two
// processes. With distributed memory, a node of two processes costs one reference less: each process
// is the only reader of its rival's c, which therefore lies in its memory. The lowest node of the
// longest path is such a node.
var yangAnderson = on(shm.Logarithmic(11, 0), shm.Logarithmic(11, 0), shm.Logarithmic(10, -1))

// cohort has a local and a global MCS lock, each with its constant. Two processes have different
// nodes, and pass no local lock on. Three processes are the fewest with a predecessor and a successor
// in both locks.
var cohort = on(shm.UpTo(2, shm.Const(11), shm.Const(18)), shm.UpTo(2, shm.Const(10), shm.Const(18)), two(4))

// on returns formulas with write-through caches, with write-back caches and with distributed memory.
func on(through, back, memory shm.Formula) shm.References {
	return shm.References{WriteThrough: &through, WriteBack: &back, Distributed: &memory}
}

// cached returns formulas of a lock whose passages have the same bound with all caches, and none
// with distributed memory.
func cached(f shm.Formula) shm.References { return on(f, f, shm.Formula{}) }

// counted returns the algorithms with their exact remote memory references.
func counted(all []shm.Algorithm) []shm.Algorithm {
	for i := range all {
		all[i].Claims.References = references[cmp.Or(all[i].VariantOf, all[i].Name)]
	}
	return all
}
