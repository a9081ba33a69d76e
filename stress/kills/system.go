package kills

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"shmbench/internal/run/isolate"
	"shmbench/internal/run/supervise"
	"shmbench/shm/region"
)

// A round is the life of one supervisor and its processes. It ends with the death of all, but
// for the last one.
type round struct {
	Trial
	Path   string // of the region that the supervisor before has left, empty in the first round
	Number int    // from 0 on
	Last   bool
}

// told is what the supervisor of a round says: first where the region is and where the
// processes of the round before were killed, and then, if it lives, what it saw.
type told struct {
	Path     string
	Kills    [Sections]int
	Seen     bool
	Passages uint64
	Found    *Found
}

const (
	rounds = "kills round"
	// longestRound bounds the random time between the begin of all lives and the death of
	// the supervisor.
	longestRound = 40 * time.Millisecond
)

// systemWide lets supervisors and their processes live and die, one round after another,
// until as many processes were killed as the trial says.
func systemWide(ctx context.Context, t Trial, r *Report) error {
	path := ""
	defer func() { remove(path) }()
	for number := 0; ; number++ {
		q := round{t, path, number, r.Total() >= t.Kills}
		seen := false
		err := isolate.Converse(ctx, "/proc/self/exe", rounds, q, func(a told) error {
			path, seen = a.Path, a.Seen
			for section, n := range a.Kills {
				r.Kills[section] += n
			}
			if a.Seen {
				r.Passages, r.Found = a.Passages, a.Found
			}
			return nil
		})
		if seen || err != nil && !wasKilled(err) {
			return err
		}
	}
}

// remove removes a region that no supervisor has removed.
func remove(path string) {
	if path == "" {
		return
	}
	if memory, err := supervise.Adopt(path); err == nil {
		memory.Close()
	}
}

// serveRound answers the question for a round.
func serveRound(ctx context.Context, find Find) {
	isolate.Serve(ctx, rounds, func(ctx context.Context, q round, tell func(told) error) error {
		memory, s, err := q.open(find)
		if err != nil {
			return err
		}
		answer := told{Path: memory.Path(), Kills: s.takeKills(q.Number)}
		if err := tell(answer); err != nil {
			return errors.Join(err, memory.Close())
		}
		found, err := q.supervise(ctx, memory.Region, s)
		answer = told{Path: answer.Path, Seen: true, Passages: s.entered(), Found: found}
		return errors.Join(err, memory.Close(), tell(answer))
	})
}

// open returns the region of a round and what the processes share in it.
func (q round) open(find Find) (*supervise.Shared, *shared, error) {
	if q.Path != "" {
		memory, err := supervise.Adopt(q.Path)
		if err != nil {
			return nil, nil, err
		}
		s, err := region.Root[shared](memory.Region, 0)
		return memory, s, err
	}
	a, err := find(q.Lock)
	if err != nil {
		return nil, nil, err
	}
	memory, err := supervise.Create(regionSize)
	if err != nil {
		return nil, nil, err
	}
	s, err := newShared(memory.Region, a, q.Procs)
	if err != nil {
		return nil, nil, errors.Join(err, memory.Close())
	}
	return memory, s, nil
}

// takeKills returns where the processes of the round before were killed.
func (s *shared) takeKills(number int) (kills [Sections]int) {
	if number == 0 {
		return kills
	}
	for i := range s.process {
		p := &s.process[i]
		kills[p.section.Swap(Remainder)]++
		p.killed.Store(uint64(number)) // life number-1
	}
	return kills
}

// supervise starts the processes. It does not return if this is not the last round and nothing is
// found: it kills this program.
func (q round) supervise(ctx context.Context, memory *region.Region, s *shared) (*Found, error) {
	s.ending.Store(q.Last)
	crashed := make(chan error, q.Procs)
	crew := supervise.New(ctx, memory, processes, q.Procs, func(_ *supervise.Supervisor[death, int], e supervise.End[int]) {
		if e.Err != nil && !e.Killed {
			crashed <- e.Err
		}
	})
	defer crew.Stop()
	for i := range q.Procs {
		if err := crew.Start(i, death{Life: q.Number, Seed: q.Seed}); err != nil {
			return nil, err
		}
	}
	if !q.Last {
		// It reads the region, which ends after this function.
		ended, stop := context.WithCancel(ctx)
		var killer sync.WaitGroup
		killer.Go(func() {
			if q.awaitDeath(ended, s, func() bool { return s.found.Load() != 0 || len(crashed) > 0 }) {
				killThis()
			}
		})
		defer killer.Wait()
		defer stop()
	}
	dog := s.watchdog(q.Deadline, crew.Runs)
	err := crew.Wait(dog.Interval(), func() error {
		if dog.Tick(); dog.Hung() || s.found.Load() != 0 {
			return errFound
		}
		return nil
	})
	switch f := s.broken(); {
	case f != nil:
		return f, nil
	case len(crashed) > 0:
		return &Found{"crashed", (<-crashed).Error()}, nil
	case errors.Is(err, errFound):
		return &Found{"hung", s.places()}, nil
	}
	return nil, err
}

// awaitDeath waits for a random time after all processes have begun their lives. It reports whether
// this program is to be killed then, and with it its processes: unless something is found or ctx
// ends.
func (q round) awaitDeath(ctx context.Context, s *shared, found func() bool) bool {
	for !s.allLive(uint64(q.Number)) {
		if !pause(ctx, time.Millisecond) {
			return false
		}
	}
	random := rand.New(rand.NewPCG(q.Seed, uint64(q.Number)))
	return pause(ctx, time.Duration(random.Int64N(int64(longestRound)))) && !found()
}

// pause waits for d, and reports whether ctx has not ended meanwhile.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return ctx.Err() == nil
	}
}

// allLive reports whether each process has begun this life.
func (s *shared) allLive(life uint64) bool {
	for i := range s.process {
		if s.process[i].lives.Load() <= life {
			return false
		}
	}
	return true
}

// killThis ends this program with SIGKILL, and with it the processes that it supervises.
func killThis() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		self.Kill()
	}
	select {}
}
