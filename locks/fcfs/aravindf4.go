package fcfs

import (
	"shmbench/locks/burns"
	"shmbench/shm"
)

var aravind13 = shm.Source{
	Author: "Alex A. Aravind",
	Title:  "Simple, space-efficient, and fairness improved FCFS mutual exclusion algorithms",
	Venue:  "Journal of Parallel and Distributed Computing 73(8)",
	Year:   2013,
	Page:   "1029-1038",
}

// AravindF4 returns the specification of the lock of Aravind's figure 4 (p. 1035), of four
// bits a process with the one-bit lock inside, as in AravindF4.c of
// github.com/pabuhr/concurrent-locking. The suite's header FCFS_AR_NA.h takes any inner
// lock, and so does the constructor. AravindF4 is Hesselink15Mutex, where D stands for dw
// and T for turn, with
//
//	5  for each q with copy[q] ≠ 00: wait until turn[q] ≠ copy[q]
//
// The two bits are read one after the other. The copy of bits that change meanwhile may be a
// value that turn[q] never has, and then does not make the process wait. It need not wait
// then, because q has not ended its doorway, or is about to enter.
func AravindF4(layout shm.Layout, stores shm.Stores) shm.Algorithm {
	return specHesselink15("fcfs/aravindf4", "Aravind's lock of four bits a process", aravind13, burns.OneBit(layout, stores), layout, stores, buildAravindF4)
}

// NewAravindF4 returns Aravind's wrapper for n processes over the lock that inner
// builds. It returns inner's error, or a *shm.ProcsError.
func NewAravindF4(n int, layout shm.Layout, stores shm.Stores, inner func(n int) (shm.Mutex, error)) (*Hesselink15Mutex, error) {
	return newOver[*Hesselink15Mutex]("fcfs/aravindf4", n, layout, stores, inner, buildAravindF4)
}

func buildAravindF4(b shm.Build, inner shm.Mutex) shm.Mutex {
	l := buildHesselink15(b, inner).(*Hesselink15Mutex)
	l.changed = true
	return l
}
