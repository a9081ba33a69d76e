package catalog

import (
	"cmp"

	"shmbench/shm"
)

// references are the exact remote memory references of a passage. Package check confirms
// them for each n that it explores. A lock has no entry, or none in a model, if its numbers
// for two, three and four processes are on no formula, or if they were not found out.
var references = map[string]shm.References{
	"dekker/dekker":            cached(shm.Const(13)),
	"dekker/rwsafe":            on(shm.Const(15), shm.Const(12), shm.Formula{}),
	"dekker/rwsafeb":           on(shm.Const(15), shm.Const(12), shm.Formula{}),
	"dekker/doranthomas":       cached(shm.Const(11)),
	"peterson/asymmetric":      remote,
	"peterson/priority":        cached(shm.Const(14)),
	"peterson/attiyawelch":     cached(shm.Const(13)),
	"peterson/peterson":        cached(shm.Const(6)),
	"peterson/kessels":         on(shm.Const(8), shm.Const(8), shm.Const(3)),
	"peterson/anderson":        on(shm.Const(10), shm.Const(10), shm.Const(6)),
	"peterson/petersonfischer": on(shm.Const(8), shm.Const(8), shm.Const(3)),
	"peterson/tsay":            cached(shm.Const(6)),
	"peterson/filter":          polled,
	"peterson/blockwoo":        polled,
	"tas/tas":                  remote,
	"tas/ttas":                 remote,
	"tas/backoff":              remote,
	"cas/cas":                  remote,
	"cas/testfirst":            remote,
	"queue/ticket":             cached(shm.Linear(1, 2)),
	"queue/ticketbackoff":      cached(shm.Linear(1, 2)),
	"queue/partitioned":        polled,
	"queue/twa":                polled,
	"queue/anderson":           cached(shm.Const(5)),
	"queue/graunkethakkar":     cached(shm.Const(5)),
	"queue/graunkethakkarlist": cached(shm.Const(4)),
	"queue/mcs":                on(shm.Const(8), shm.Const(8), shm.Const(4)),
	"queue/mcsk42":             remote,
	"queue/mcsh":               on(shm.Const(11), shm.Const(10), shm.Formula{}),
	"queue/mcsswap":            on(shm.Const(9), shm.UpTo(2, shm.Const(8), shm.Const(9)), shm.Const(5)),
	"queue/clh":                cached(shm.Const(5)),
	"queue/clhstandard":        cached(shm.Const(6)),
	"queue/hemlock":            cached(shm.Const(7)),
	"queue/reciprocating":      on(shm.Const(6), shm.UpTo(2, shm.Const(5), shm.Const(6)), shm.Const(4)),
	"queue/reciprocatinggated": cached(shm.Const(7)),
	"tournament/peterson":      cached(shm.Logarithmic(6, 0)),
	"tournament/tsay":          cached(shm.Logarithmic(6, 0)),
	"tournament/kessels":       on(shm.Logarithmic(8, 0), shm.Logarithmic(8, 0), shm.UpTo(2, shm.Const(3), shm.Formula{})),
	"tournament/lynch":         polled,
	"szymanski/flag":           on(shm.Linear(8, -4), shm.Linear(8, -4), shm.UpTo(2, shm.Const(5), shm.Formula{})),
	"burns/burnslynch":         remote,
	"burns/burns":              remote,
	"burns/onebit":             remote,
	"dijkstra/dijkstra":        remote,
	"fast/lamport":             remote,
	"numa/hbo":                 remote,
	"abort/jjcc":               cached(shm.Const(5)),
	"abort/mcstry":             on(shm.Const(14), shm.Const(13), shm.Const(6)),
	"abort/tolock":             on(shm.Const(5), shm.Const(5), shm.UpTo(2, shm.Const(3), shm.Formula{})),
	"recoverable/rtas":         remote,
	"recoverable/rptree":       cached(shm.Logarithmic(9, 0)),
}

// remote is of a lock without any bound, and polled of one that has none with distributed memory.
var (
	remote = on(shm.Formula{}, shm.Formula{}, shm.Formula{})
	polled = shm.References{Distributed: &shm.Formula{}}
)

// on returns formulas with write-through caches, with write-back caches and with distributed memory.
func on(through, back, distributed shm.Formula) shm.References {
	return shm.References{WriteThrough: &through, WriteBack: &back, Distributed: &distributed}
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
