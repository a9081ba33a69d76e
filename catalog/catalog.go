// Package catalog is the list of every algorithm of this module. A new algorithm needs one
// file in its family's package and one line here.
package catalog

import (
	"slices"
	"strings"

	"shmbench/bakery"
	"shmbench/cas"
	"shmbench/locks/abort"
	"shmbench/locks/baseline"
	"shmbench/locks/burns"
	"shmbench/locks/dekker"
	"shmbench/locks/delegation"
	"shmbench/locks/dijkstra"
	"shmbench/locks/elevator"
	"shmbench/locks/fast"
	"shmbench/locks/fcfs"
	"shmbench/locks/numa"
	"shmbench/locks/queue"
	"shmbench/locks/recoverable"
	"shmbench/locks/rw"
	"shmbench/locks/szymanski"
	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/tas"
	"shmbench/tournament"
)

// Path is the import path of this package, used by readers of the locks' sources.
const Path = "shmbench/catalog"

// All returns every algorithm, in the order of the tables. An algorithm with two layouts is
// there in both, the default first; results/ has the measurements that chose the defaults. An
// algorithm with stores that need no fence is also there with release stores, in the default
// layout. Where two processes are faster on packed registers, although the default is padded
// for many processors, it is there with release stores in both layouts.
//
// The processes of the locks for several nodes are dealt out over two, whatever the
// machine: numa.InTurn says why.
func All() []shm.Algorithm { return On(numa.InTurn(2)) }

// On is All with the processes of the locks for several nodes placed by nodes.
func On(nodes numa.Nodes) []shm.Algorithm {
	return counted(cited(slices.Concat(readsAndWrites(), trees(), operations(), onNodes(nodes), otherContracts())))
}

// readsAndWrites are the locks whose registers are only read and written, except trees.
func readsAndWrites() []shm.Algorithm {
	return slices.Concat(
		shm.Variants(bakery.Lamport, shm.Padded),
		shm.Layouts(bakery.HehnerShyamasundar, shm.Padded),
		shm.Variants(bakery.Bounded, shm.Padded),
		shm.Variants(bakery.BlackWhite, shm.Padded),
		shm.Variants(bakery.Boulangerie, shm.Padded),
		shm.Variants(dekker.Dekker, shm.Packed),
		shm.Variants(dekker.RWSafe, shm.Packed),
		shm.Variants(dekker.RWSafeB, shm.Packed),
		shm.Variants(dekker.DoranThomas, shm.Packed),
		shm.Variants(dijkstra.Dijkstra, shm.Padded),
		shm.BothLayouts(dijkstra.Knuth, shm.Padded),
		shm.Variants(dijkstra.DeBruijn, shm.Padded),
		shm.Variants(dijkstra.EisenbergMcGuire, shm.Padded),
		shm.Variants(burns.BurnsLynch, shm.Padded),
		shm.Variants(burns.Burns, shm.Padded),
		shm.Variants(burns.OneBit, shm.Padded),
		shm.Variants(burns.ThreeBit, shm.Padded),
		shm.Variants(burns.RoundRobin, shm.Padded),
		shm.Layouts(fcfs.LycklamaHadzilacos, shm.Padded),
		shm.Variants(fcfs.LycklamaBuhr, shm.Padded),
		shm.Layouts(fcfs.Hesselink13, shm.Padded),
		shm.Variants(fcfs.Hesselink15, shm.Padded),
		shm.Variants(fcfs.Hesselink15Exit, shm.Padded),
		shm.Variants(fcfs.Hesselink24, shm.Padded),
		shm.Variants(fcfs.Hesselink24TAS, shm.Padded),
		shm.Variants(fcfs.AravindF3, shm.Padded),
		shm.Variants(fcfs.AravindF4, shm.Padded),
		shm.Variants(fcfs.AravindBLRU, shm.Padded),
		shm.Variants(fcfs.AravindBLRUAlt, shm.Padded),
		shm.Variants(peterson.Asymmetric, shm.Packed),
		shm.Variants(peterson.Priority, shm.Packed),
		shm.Variants(peterson.AttiyaWelch, shm.Packed),
		shm.Variants(peterson.Peterson, shm.Packed),
		shm.Variants(peterson.Kessels, shm.Packed),
		shm.Variants(peterson.Anderson, shm.Packed),
		shm.Layouts(peterson.PetersonFischer, shm.Packed),
		shm.Variants(peterson.Tsay, shm.Packed),
		shm.BothLayouts(peterson.Filter, shm.Padded),
		shm.Variants(peterson.BlockWoo, shm.Padded),
		shm.Variants(elevator.Linear, shm.Padded),
		shm.Variants(elevator.LinearBL, shm.Padded),
		shm.Variants(elevator.LinearLF, shm.Padded),
		shm.Variants(elevator.Flag, shm.Padded),
		shm.Variants(elevator.FlagBL, shm.Padded),
		shm.Variants(elevator.FlagLF, shm.Padded),
		shm.Variants(elevator.Tree, shm.Padded),
		shm.Layouts(elevator.TreeBL, shm.Padded),
		shm.BothLayouts(szymanski.Flag, shm.Padded),
		shm.BothLayouts(szymanski.Buhr, shm.Padded),
		shm.Variants(szymanski.Bits, shm.Padded),
		shm.Variants(szymanski.Mended, shm.Padded),
	)
}

// trees are the trees of locks for few processes, and the fast paths before them.
func trees() []shm.Algorithm {
	return slices.Concat(
		shm.Variants(tournament.Priority, shm.Packed),
		shm.Variants(tournament.Peterson, shm.Packed),
		shm.Variants(tournament.PetersonBuhr, shm.Packed),
		shm.Variants(tournament.Kessels, shm.Packed),
		shm.Variants(tournament.Tsay, shm.Packed),
		shm.Variants(tournament.DoranThomas, shm.Packed),
		shm.Variants(tournament.RWSafe, shm.Packed),
		shm.Layouts(tournament.PetersonFischer, shm.Padded),
		shm.Variants(tournament.YangAnderson, shm.Padded),
		shm.Variants(tournament.Lynch, shm.Padded),
		shm.Variants(tournament.Zhang, shm.Padded),
		shm.Variants(tournament.ZhangDary(2).Spec, shm.Padded),
		shm.Variants(fast.Lamport, shm.Padded),
		shm.Variants(fast.Triangle, shm.Padded),
		shm.Variants(fast.YangAnderson, shm.Padded),
		shm.Layouts(fast.AndersonKim, shm.Padded),
	)
}

// operations are the locks made of read-modify-write operations.
func operations() []shm.Algorithm {
	return slices.Concat(
		shm.Forms(tas.TAS),
		shm.Forms(tas.TTAS),
		shm.Forms(tas.Backoff),
		shm.Forms(cas.CAS),
		shm.Forms(cas.TestFirst),
		shm.Variants(queue.Ticket, shm.Packed),
		shm.Variants(queue.TicketBackoff, shm.Packed),
		shm.Variants(queue.Partitioned, shm.Padded),
		shm.Variants(queue.TWA, shm.Padded),
		shm.Variants(queue.TWAID, shm.Padded),
		shm.Variants(queue.Anderson, shm.Padded),
		shm.Variants(queue.GraunkeThakkar, shm.Padded),
		shm.Variants(queue.GraunkeThakkarList, shm.Padded),
		shm.BothLayouts(queue.MCS, shm.Packed),
		shm.Variants(queue.MCSK42, shm.Padded),
		shm.Variants(queue.MCSH, shm.Padded),
		shm.Variants(queue.MCSSwap, shm.Padded),
		shm.Variants(queue.CLH, shm.Padded),
		shm.Variants(queue.CLHStandard, shm.Padded),
		shm.Variants(queue.Hemlock, shm.Padded),
		shm.Variants(queue.Reciprocating, shm.Padded),
		shm.Variants(queue.ReciprocatingGated, shm.Padded),
		shm.Variants(queue.Fissile, shm.Padded),
		shm.Layouts(queue.QSpin, shm.Padded),
		shm.Layouts(queue.Shfl, shm.Padded),
		shm.Variants(queue.Malthusian, shm.Padded),
		shm.Variants(queue.Hapax, shm.Padded),
		shm.Variants(queue.HapaxVW, shm.Padded),
	)
}

// onNodes are the locks for several nodes.
func onNodes(nodes numa.Nodes) []shm.Algorithm {
	return slices.Concat(
		shm.Variants(numa.CBOMCS(nodes, numa.Batch).Spec, shm.Padded),
		shm.Variants(numa.CTKTTKT(nodes, numa.Batch).Spec, shm.Padded),
		shm.Variants(numa.CMCSMCS(nodes, numa.Batch).Spec, shm.Padded),
		shm.Variants(numa.HMCS{Nodes: nodes, Batch: numa.Batch}.Spec, shm.Padded),
		shm.Layouts(numa.AHMCS{Nodes: nodes, Batch: numa.AdaptiveBatch}.Spec, shm.Padded),
		shm.Variants(numa.CNA{Nodes: nodes, Batch: numa.Batch}.Spec, shm.Padded),
		shm.Variants(numa.Fissile{CNA: numa.CNA{Nodes: nodes, Batch: numa.Batch}, Patience: numa.Patience}.Spec, shm.Padded),
		shm.Variants(numa.HCLH{Nodes: nodes}.Spec, shm.Padded),
		shm.Variants(numa.HTicket{Nodes: nodes, Batch: numa.Batch}.Spec, shm.Padded),
		shm.Forms(numa.HBO{Nodes: nodes}.Spec),
		alone(numa.HSynchMutex{Nodes: nodes, Batch: delegation.Batch}.Spec()),
	)
}

// otherContracts are the locks with readers or with a time limit, and the alternatives in a Go
// program.
func otherContracts() []shm.Algorithm {
	return slices.Concat(
		alone(rw.ReaderPref),
		shm.Variants(rw.WriterPref, shm.Padded),
		shm.Layouts(rw.TaskFair, shm.Padded),
		shm.Variants(rw.PhaseFair, shm.Padded),
		shm.Variants(rw.PhaseFairQueue, shm.Padded),
		shm.Variants(rw.ReaderPrefQueue, shm.Padded),
		shm.Layouts(rw.QRWLock, shm.Padded),
		shm.Layouts(rw.KSUH, shm.Padded),
		shm.Variants(rw.CRWNP, shm.Padded),
		shm.Variants(rw.CRWRP, shm.Padded),
		shm.Variants(rw.CRWWP, shm.Padded),
		shm.Variants(rw.Bravo, shm.Padded),
		shm.Variants(rw.BravoReaderPref, shm.Padded),
		shm.Layouts(abort.CLHTry, shm.Padded),
		shm.Layouts(abort.MCSTry, shm.Padded),
		shm.Variants(abort.CLHNB, shm.Padded),
		shm.Variants(abort.MCSNB, shm.Padded),
		shm.Layouts(abort.OSQ, shm.Padded),
		shm.Variants(abort.JJCC, shm.Padded),
		shm.Layouts(abort.MCSTP, shm.Padded),
		alone(abort.TOLock),
		shm.Variants(abort.Composite, shm.Padded),
		shm.Variants(abort.CompositeFast, shm.Padded),
		alone(recoverable.RTAS()),
		alone(recoverable.RPeterson()),
		alone(recoverable.RPTree()),
		alone(recoverable.RYA()),
		alone(recoverable.RBakery()),
		alone(recoverable.RBakeryInside()),
		alone(recoverable.RTicket()),
		alone(recoverable.RCLH()),
		alone(recoverable.RMCS()),
		alone(recoverable.RJJJ()),
		alone(delegation.CCSynchMutex()),
		alone(delegation.DSMSynchMutex()),
		alone(delegation.FlatCombiningMutex()),
		alone(baseline.Mutex),
		alone(baseline.RWMutex),
		alone(baseline.Channel),
		alone(baseline.Futex()),
		alone(baseline.Rust()),
		alone(baseline.Musl()),
		alone(baseline.WebKit()),
		alone(baseline.ParkingLot()),
	)
}

// At is On with the path of each process in a list.
func At(paths [][]int) []shm.Algorithm { return On(numa.Listed(paths)) }

// alone is an algorithm with one layout only.
func alone(a shm.Algorithm) []shm.Algorithm { return []shm.Algorithm{a} }

// Families returns the names of the families, in order: a family is named as its package.
func Families() []string {
	var names []string
	for _, a := range All() {
		family, _, _ := strings.Cut(a.Name, "/")
		names = append(names, family)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
