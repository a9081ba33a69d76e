package knownbroken

import (
	"sync/atomic"

	"shmbench/shm"
	"shmbench/shm/spin"
)

// hticketBatch is the hierarchical ticket lock as its authors' program has it, with batches of
// one ticket besides that of the process that starts the batch, and with all processes on one
// node. The node looks open while that process is in its critical section. If others take all
// tickets of the batch meanwhile, the next process starts a second batch with the same
// tickets. The program's batches have 128 tickets, so that the fault takes 130 processes of a
// node there.
var hticketBatch = made(Lock{
	Algorithm: shm.Algorithm{
		Name:  "knownbroken/hticket-batch",
		Title: "HTicket, hierarchical ticket lock, with a batch of one",
		Source: shm.Source{
			Author: "Tudor David, Rachid Guerraoui and Vasileios Trigonakis",
			Title:  "Everything You Always Wanted to Know About Synchronization but Were Afraid to Ask",
			Venue:  "24th ACM Symposium on Operating Systems Principles",
			Year:   2013,
			Page:   "33-48",
		},
		Class:    shm.FetchAndAdd | shm.CompareAndSwap,
		MinProcs: 1,
		MaxProcs: shm.MaxProcs,
		Claims:   shm.Claims{DeadlockFree: true},
		Space: shm.Space{
			{Name: "request", Count: shm.Const(1)},
			{Name: "grant", Count: shm.Const(1)},
			{Name: "lrequest", Count: shm.Const(1), Values: shm.Formula{Text: "n+2", At: func(n int) int { return n + 2 }}},
			{Name: "lgrant", Count: shm.Const(1), Values: shm.Const(2)},
		},
	},
	Read:     "src/htlockepfl.c of multicore-locks/litl, commit 065876e, which has the authors' program; the paper was not seen",
	Claimed:  "mutual exclusion; nothing is said of how large a batch must be",
	Property: exclusion,
	Verdict:  "a process that finds all tickets drawn while their maker is in its critical section makes a second batch, and two processes have the same ticket.",
	Procs:    3,
	Memory:   Consistent,
	Steps:    15,
	Fix:      "the node is open while it has no batch, and says so by a value that is not that of the batch's maker",
	Fixed:    "numa/hticket",
}, func(int) shm.Mutex {
	l := new(hticketBatchMutex)
	l.lgrant.Store(hticketB)
	return l
})

const hticketB = 1 // the batch

// hticketBatchMutex, on one node, for batches of B tickets:
//
//	entry section:
//	1  t := fetch-and-decrement(lrequest) - 1
//	2  if t < -1 then wait until lrequest >= 0; goto 1
//	3  if t >= 0 then wait until lgrant = t, and enter
//	4  wait until lgrant = B
//	5  lrequest := B
//	6  g := fetch-and-increment(request)
//	7  wait until grant = g
//	exit section:
//	8  k := lgrant
//	9  if compare-and-swap(lrequest, k, 0) succeeds, or k = 0, then
//	10     lgrant := B
//	11     grant := grant + 1
//	12 else lgrant := k - 1
//
// On line 2 the program pauses for a while.
type hticketBatchMutex struct {
	request, grant   atomic.Uint32
	lrequest, lgrant atomic.Int32
}

func (l *hticketBatchMutex) Lock(int) {
	t := l.lrequest.Add(-1) // 1
	for t < -1 {
		spin.Until(func() bool { return l.lrequest.Load() >= 0 }) // 2
		t = l.lrequest.Add(-1)                                    // 1
	}
	if t >= 0 {
		spin.Until(func() bool { return l.lgrant.Load() == t }) // 3
		return
	}
	spin.Until(func() bool { return l.lgrant.Load() == hticketB }) // 4
	l.lrequest.Store(hticketB)                                     // 5
	g := l.request.Add(1) - 1                                      // 6
	spin.Until(func() bool { return l.grant.Load() == g })         // 7
}

func (l *hticketBatchMutex) Unlock(int) {
	k := l.lgrant.Load()                           // 8
	if l.lrequest.CompareAndSwap(k, 0) || k == 0 { // 9
		l.lgrant.Store(hticketB)          // 10
		l.grant.Store(l.grant.Load() + 1) // 11
		return
	}
	l.lgrant.Store(k - 1) // 12
}
