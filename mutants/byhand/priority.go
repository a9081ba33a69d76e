package byhand

import (
	"sync/atomic"

	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/spin"
)

var priority = peterson.Priority(shm.Packed, shm.Sequential)

var priorities = []Mutant{
	mutate(priority, "priority-no-second-look", "without priority a process does not look again after it has set want", Safety, 2,
		func(int) shm.Mutex { return new(priorityNoSecondLook) }),
	mutate(priority, "priority-no-giving-way", "without priority a process waits with want set instead of taking it back", Deadlock, 2,
		func(int) shm.Mutex { return new(priorityNoGivingWay) }),
	mutate(priority, "priority-never-handed-over", "the exit section leaves the priority where it is", Starvation, 2,
		func(int) shm.Mutex { return new(priorityNeverHandedOver) }).with(shm.Space{priority.Space[0],
		{Name: "priority", Count: shm.Const(1), Values: shm.Const(1)}}),
	mutate(priority, "priority-kept", "the exit section gives the priority to the process that leaves", Deadlock, 2,
		func(int) shm.Mutex { return new(priorityKept) }),
	mutate(priority, "priority-want-first", "the exit section clears want before it hands over, as the notes' tree does", Equivalent, 2,
		func(int) shm.Mutex { return new(priorityWantFirst) }),
}

// priorityBase is the lock with priority, in pieces:
//
//	entry section of process i:
//	1  want[i] := 0
//	2  wait until want[1-i] = 0 or priority = i
//	3  want[i] := 1
//	4  if priority = 1-i then
//	5      if want[1-i] = 1 then goto 1
//	6  else wait until want[1-i] = 0
//	exit section of process i:
//	7  priority := 1-i
//	8  want[i] := 0
type priorityBase struct {
	want     [2]atomic.Bool
	priority atomic.Uint32
}

// ask is lines 1 to 3.
func (l *priorityBase) ask(i int) {
	l.want[i].Store(false)                                                                   // 1
	spin.Until(func() bool { return !l.want[1-i].Load() || l.priority.Load() == uint32(i) }) // 2
	l.want[i].Store(true)                                                                    // 3
}

// awaitOther is line 6.
func (l *priorityBase) awaitOther(i int) {
	spin.Until(func() bool { return !l.want[1-i].Load() })
}

func (l *priorityBase) Lock(i int) {
	for {
		l.ask(i)
		if l.priority.Load() != uint32(1-i) { // 4
			l.awaitOther(i) // 6
			return
		}
		if !l.want[1-i].Load() { // 5
			return
		}
		spin.Pause()
	}
}

func (l *priorityBase) Unlock(i int) {
	l.priority.Store(uint32(1 - i)) // 7
	l.want[i].Store(false)          // 8
}

type priorityNoSecondLook struct{ priorityBase }

func (l *priorityNoSecondLook) Lock(i int) {
	l.ask(i)
	if l.priority.Load() != uint32(1-i) {
		l.awaitOther(i)
	}
}

type priorityNoGivingWay struct{ priorityBase }

func (l *priorityNoGivingWay) Lock(i int) {
	l.ask(i)
	l.awaitOther(i)
}

type priorityNeverHandedOver struct{ priorityBase }

func (l *priorityNeverHandedOver) Unlock(i int) { l.want[i].Store(false) }

type priorityKept struct{ priorityBase }

func (l *priorityKept) Unlock(i int) {
	l.priority.Store(uint32(i))
	l.want[i].Store(false)
}

type priorityWantFirst struct{ priorityBase }

func (l *priorityWantFirst) Unlock(i int) {
	l.want[i].Store(false)
	l.priority.Store(uint32(1 - i))
}
