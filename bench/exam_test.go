package bench

import (
	"runtime"
	"testing"
	"time"

	"shmbench/internal/machine/clock"
	"shmbench/locks/baseline"
	"shmbench/shm"
)

// examEnv is the environment variable that has BenchmarkPassage measure, instead of
// the catalog, a lock about which a test knows what the benchmark must say.
const examEnv = "SHMBENCH_EXAM"

// The locks, as the values of examEnv.
const (
	examPaced   = "paced"   // takes its time
	examWaits   = "waits"   // hangs in a wait of package spin
	examSpins   = "spins"   // hangs in a loop of its own, after 200,000 passages
	examTooMany = "toomany" // is for fewer processes
	examNoName  = "noname"
	examBroken  = "broken"  // lets all in at once
	examReaders = "readers" // half of the passages read
	examTouch   = "touch"   // critical sections do not check
)

// pace is the time from one passage of a paced lock to the next, for each of
// GOMAXPROCS.
const pace = 20 * time.Microsecond

// pacedBytes is what each of its passages allocates, in one object.
const pacedBytes = 64

// paced is a lock that lets a process in when the last one has been in for a set time,
// first come, first served.
type paced struct {
	shm.Mutex
	pace, last int64
	kept       *[pacedBytes]byte
}

func (l *paced) Lock(i int) {
	l.Mutex.Lock(i)
	for clock.Now() < l.last+l.pace {
		runtime.Gosched()
	}
	l.last = clock.Now()
	l.kept = new([pacedBytes]byte)
}

func newPaced(n int) (shm.Mutex, error) {
	fifo, err := baseline.Channel.New(n)
	return &paced{Mutex: fifo, pace: int64(pace) * int64(runtime.GOMAXPROCS(0))}, err
}

func newHanging(passages int64, hang func(func() bool)) func(int) (shm.Mutex, error) {
	return func(n int) (shm.Mutex, error) {
		fifo, err := baseline.Channel.New(n)
		l := &hanging{Mutex: fifo, hang: hang}
		l.passages.Store(passages)
		return l, err
	}
}

// benchmarkExam runs the benchmark of an exam.
func benchmarkExam(b *testing.B, exam string) {
	lock := shm.Algorithm{Name: "exam/" + exam, MinProcs: 1, MaxProcs: 8}
	switch exam {
	case examPaced:
		lock.New = newPaced
	case examWaits:
		lock.New = newHanging(1000, waiting)
	case examSpins:
		lock.New = newHanging(200_000, spinning)
	case examTooMany:
		lock.New, lock.MaxProcs = newPaced, 1
	case examNoName:
		lock.New, lock.Name = newPaced, ""
	case examBroken:
		lock.New = baseline.Null.New
	}
	w := Workload{}
	if exam == examReaders {
		lock.New, w.Readers = newPaced, 0.5
	}
	if exam == examTouch {
		lock.New, w.Touch = newPaced, true
	}
	_, procs := benchmarked(false, mostProcessors())
	for _, w.Procs = range procs {
		Run(b, lock, w)
	}
}
