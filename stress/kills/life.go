package kills

import (
	"context"
	"math/rand/v2"

	"shmbench/internal/build/twin"
	"shmbench/internal/run/supervise"
	"shmbench/shm"
)

// lastPassages is how many passages each process makes when no process is killed any more.
const lastPassages = 100

// missed is after how many passages a process whose death did not come is killed in its
// critical section: the lock does not call the hook, or makes no access in the section.
const missed = 10

// firstGuess is the number of accesses of a section that the process has not made yet.
const firstGuess = 4

// shortSection bounds the random number of calls in a critical section.
const shortSection = 200

// death is where a process kills itself.
type death struct {
	Section int // Remainder: it does not
	Passage int // in which passage of its life at the earliest, from 0 on
	Life    int // how many lives of this number an earlier supervisor began
	Seed    uint64
}

// serveProcess answers a supervisor that starts a process of a lock.
func serveProcess(ctx context.Context) {
	supervise.Serve(ctx, processes, func(_ context.Context, c supervise.Child, d death) (int, error) {
		s, err := sharedOf(c)
		if err != nil {
			return 0, err
		}
		number := d.Life + c.Life
		l := &life{shared: s, death: d, pid: c.Number, number: number, me: holding(c.Number, number),
			random: rand.New(rand.NewPCG(d.Seed, uint64(number)))}
		twin.Before = func(twin.Access) { l.access() }
		return l.live(), nil
	})
}

const processes = "kills process"

// life is one life of a process.
type life struct {
	*shared
	death
	pid, number int    // the number of the life
	me          uint64 // as holder has it
	random      *rand.Rand

	passage  int
	section  int
	accesses int           // in the section
	seen     [Sections]int // accesses of each section in the passage before
	at       int           // the access before which the process kills itself, or 0
}

// live makes passages until the test ends, and returns how many.
func (l *life) live() int {
	l.process[l.pid].lives.Store(uint64(l.number) + 1)
	for last := 0; last < lastPassages && l.found.Load() == 0; l.passage++ {
		if l.ending.Load() {
			last++
		}
		l.aim()
		l.make()
		l.move(Remainder)
	}
	return l.passage
}

// make makes a passage.
func (l *life) make() {
	outcome := shm.Enter
	if lock, ok := l.lock.(shm.Recoverable); ok {
		l.move(Recovery)
		outcome = lock.Recover(l.pid)
	}
	switch outcome {
	case shm.Finished:
		return
	case shm.Enter:
		l.move(Entry)
		l.lock.Lock(l.pid)
	}
	l.move(Critical)
	l.inside()
	l.move(Exit)
	l.lock.Unlock(l.pid)
}

// inside is the critical section. It finds the mark of any process that has been there since
// and has not left, and may kill the process at each of its places.
func (l *life) inside() {
	l.process[l.pid].entered.Add(1)
	holder := l.holder.Load()
	pid, _ := of(holder)
	switch {
	case holder != 0 && pid != l.pid:
		l.meets(l.pid, holder)
		return
	case holder != 0 && l.begun != l.ended: // this process was killed between the two
		l.ended = l.begun
	}
	l.access()
	l.holder.Store(l.me)
	l.access()
	l.begun++
	l.access()
	for range l.random.IntN(l.longest()) {
		l.linger()
	}
	if l.begun != l.ended+1 {
		l.meets(l.pid, 0)
		return
	}
	l.ended++
	l.access()
	if holder := l.holder.Load(); holder != l.me {
		l.meets(l.pid, holder)
		return
	}
	l.holder.Store(0)
	l.access()
}

// longest bounds the random length of a critical section. A process that does not kill itself
// stays longer, so that a kill by the clock often comes there.
func (l *life) longest() int {
	if l.Section == Remainder {
		return 100 * shortSection
	}
	return shortSection
}

//go:noinline
func (l *life) linger() {}

// move enters a section.
func (l *life) move(section int) {
	l.seen[l.section] = l.accesses
	l.section, l.accesses = section, 0
	l.process[l.pid].section.Store(uint32(section))
}

// aim chooses at the beginning of a passage the access before which the process kills itself.
func (l *life) aim() {
	if l.at = 0; l.Section == Remainder || l.passage < l.Passage {
		return
	}
	if l.passage > l.Passage+missed {
		l.Section = Critical
	}
	most := l.seen[l.Section]
	if most == 0 {
		most = firstGuess
	}
	l.at = 1 + l.random.IntN(most)
}

// access is called before each access of the lock, and at the places of the critical section.
func (l *life) access() {
	l.accesses++
	if l.isAimedAt() && !l.ending.Load() {
		l.process[l.pid].killed.Store(uint64(l.number) + 1)
		killThis()
	}
}

// isAimedAt reports whether the process is before the access that aim has chosen.
func (l *life) isAimedAt() bool { return l.accesses == l.at && l.section == l.Section }
