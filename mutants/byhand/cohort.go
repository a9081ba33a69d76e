package byhand

import (
	"shmbench/numa"
	"shmbench/queue"
	"shmbench/shm"
	"shmbench/tas"
)

// nodeBatch is the batch of the broken locks for several nodes: short, so that they are
// checked at once.
const nodeBatch = 2

var (
	twoNodes = numa.InTurn(2)
	cbomcs   = numa.CBOMCS(twoNodes, nodeBatch).Card(shm.Packed, shm.Sequential)
	ctkttkt  = numa.CTKTTKT(twoNodes, nodeBatch).Card(shm.Packed, shm.Sequential)
	cmcsmcs  = numa.CMCSMCS(twoNodes, nodeBatch).Card(shm.Packed, shm.Sequential)
)

var cohorts = []Mutant{
	mutate(cbomcs, "cbomcs-passed-kept", "who leaves the global lock does not say so to the next of its node", Safety, 3,
		func(n int) shm.Mutex { return &cohortPassedKept{newCohort(n, newBackoffLock(), newLocalMCS)} }),
	mutate(cbomcs, "cbomcs-passed-to-nobody", "who is alone on its node keeps the global lock for those that may come", Deadlock, 2,
		func(n int) shm.Mutex { return &cohortPassedToNobody{newCohort(n, newBackoffLock(), newLocalMCS)} }),
	mutate(ctkttkt, "ctkttkt-passed-in-secret", "who leaves the global lock behind does not say so to the next of its node", Deadlock, 3,
		func(n int) shm.Mutex { return &cohortPassedInSecret{newCohort(n, newTicketLock(2), newTicketLock)} }),
	mutate(ctkttkt, "ctkttkt-local-first", "the local lock is left before the global one, which serves nodes by their tickets", Equivalent, 2,
		func(n int) shm.Mutex { return &cohortLocalFirst{newCohort(n, newTicketLock(2), newTicketLock)} }),
	mutate(cmcsmcs, "cmcsmcs-local-first", "the local lock is left before the global one, in which the next of the node then uses the same record", Deadlock, 3,
		func(n int) shm.Mutex { return &cohortLocalFirst{newCohort(n, newLocalMCS(2), newLocalMCS)} }),
	mutate(cmcsmcs, "cmcsmcs-no-end-of-batch", "a node keeps the global lock as long as anybody waits there", Starvation, 3,
		func(n int) shm.Mutex { return &cohortNoEndOfBatch{newCohort(n, newLocalMCS(2), newLocalMCS)} }),
}

// cohortBase is the cohort lock in pieces:
//
//	entry section of process i of node c:
//	1  enter the local lock of c
//	2  if passed[c] = 0 then
//	3      enter the global lock as c
//	exit section:
//	4  if passed[c] + 1 < batch then if i is not alone in the local lock then
//	5      passed[c] := passed[c] + 1, goto 8
//	6  passed[c] := 0
//	7  leave the global lock as c
//	8  leave the local lock of c
type cohortBase struct {
	global shm.Mutex
	node   [2]cohortNode // process i is process i/2 of node i mod 2
}

type cohortNode struct {
	local  numa.Local
	passed int
}

func newCohort(n int, global shm.Mutex, local func(n int) numa.Local) *cohortBase {
	return &cohortBase{global, [2]cohortNode{{local: local((n + 1) / 2)}, {local: local(max(n/2, 1))}}}
}

func newBackoffLock() shm.Mutex {
	m, _ := tas.NewBackoff(2, shm.Sequential)
	return m
}

func newTicketLock(n int) numa.Local {
	m, _ := queue.NewTicket(n, shm.Packed, shm.Sequential)
	return m
}

func newLocalMCS(n int) numa.Local {
	m, _ := queue.NewMCS(n, shm.Packed, shm.Sequential)
	return m
}

func (l *cohortBase) Lock(i int) {
	c := &l.node[i%2]
	c.local.Lock(i / 2) // 1
	if c.passed == 0 {  // 2
		l.global.Lock(i % 2) // 3
	}
}

// keeps is line 4.
func (l *cohortBase) keeps(i int) bool {
	c := &l.node[i%2]
	return c.passed+1 < nodeBatch && !c.local.Alone(i/2) // 4
}

// leave is lines 7 and 8.
func (l *cohortBase) leave(i int) {
	l.global.Unlock(i % 2)          // 7
	l.node[i%2].local.Unlock(i / 2) // 8
}

type cohortPassedKept struct{ *cohortBase }

func (l *cohortPassedKept) Unlock(i int) {
	c := &l.node[i%2]
	if l.keeps(i) {
		c.passed++            // 5
		c.local.Unlock(i / 2) // 8
		return
	}
	l.leave(i)
}

type cohortPassedToNobody struct{ *cohortBase }

func (l *cohortPassedToNobody) Unlock(i int) {
	c := &l.node[i%2]
	if c.passed+1 < nodeBatch { // 4
		c.passed++            // 5
		c.local.Unlock(i / 2) // 8
		return
	}
	c.passed = 0 // 6
	l.leave(i)
}

type cohortPassedInSecret struct{ *cohortBase }

func (l *cohortPassedInSecret) Unlock(i int) {
	if l.keeps(i) {
		l.node[i%2].local.Unlock(i / 2) // 8
		return
	}
	l.leave(i)
}

type cohortLocalFirst struct{ *cohortBase }

func (l *cohortLocalFirst) Unlock(i int) {
	c := &l.node[i%2]
	if l.keeps(i) {
		c.passed++            // 5
		c.local.Unlock(i / 2) // 8
		return
	}
	c.passed = 0           // 6
	c.local.Unlock(i / 2)  // 8
	l.global.Unlock(i % 2) // 7
}

type cohortNoEndOfBatch struct{ *cohortBase }

func (l *cohortNoEndOfBatch) Unlock(i int) {
	c := &l.node[i%2]
	if !c.local.Alone(i / 2) { // 4
		c.passed = 1          // 5
		c.local.Unlock(i / 2) // 8
		return
	}
	c.passed = 0 // 6
	l.leave(i)
}
