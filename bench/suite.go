package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"shmbench/internal/machine/topo"
	"shmbench/locks/baseline"
	"shmbench/shm"
)

// Suite is an experiment: algorithms, each with several numbers of processes. Each
// case is measured Count times.
type Suite struct {
	Algorithms []shm.Algorithm
	Procs      []int
	// Workload is what the processes do; its Procs is not used.
	Workload Workload
	Count    int
	Options  Options
}

// Case is one algorithm with one number of processes.
type Case struct {
	Algorithm shm.Algorithm
	Procs     int
}

// Cases returns the cases that can be measured, by number of processes. It also
// returns the skipped cases, whose algorithm does not support so many processes.
func (s Suite) Cases() (cases, skipped []Case) {
	for _, n := range s.Procs {
		for _, a := range s.Algorithms {
			if n >= a.MinProcs && n <= a.MaxProcs {
				cases = append(cases, Case{a, n})
			} else {
				skipped = append(skipped, Case{a, n})
			}
		}
	}
	return cases, skipped
}

// Windows returns the sum of the windows of all samples. A run takes longer: a window goes on
// until every process has made its passages, and samples need time to begin and to end.
func (s Suite) Windows() time.Duration {
	d := cmp.Or(s.Options.Duration, DefaultDuration)
	cases, _ := s.Cases()
	return time.Duration(len(cases)*s.Count) * (d/warmUpPart + d + 2*(d/detailPart))
}

// workload returns the workload with so many processes.
func (s Suite) workload(procs int) Workload {
	w := s.Workload
	w.Procs = procs
	return w
}

// Samples returns the number of samples of each case, keyed by the names of results.
func (s Suite) Samples() map[string]int {
	all := map[string]int{}
	cases, _ := s.Cases()
	for _, c := range cases {
		all[s.workload(c.Procs).Name(c.Algorithm.Name)] += s.Count
	}
	return all
}

// Validate returns an error if the suite cannot be run.
func (s Suite) Validate() error {
	for _, n := range s.Procs {
		if err := s.workload(n).Validate(); err != nil {
			return err
		}
		if _, err := processors(n, s.Options.Pin); err != nil {
			return err
		}
	}
	if s.Count < 1 {
		return fmt.Errorf("%d samples: there must be 1 or more", s.Count)
	}
	if cases, skipped := s.Cases(); len(cases) == 0 && len(skipped) == 0 {
		return errors.New("nothing to measure: no algorithm, or no number of processes")
	} else if len(cases) == 0 {
		c := skipped[0]
		return fmt.Errorf("nothing to measure: %w", shm.CheckProcs(c.Algorithm.Name, c.Procs, c.Algorithm.MinProcs, c.Algorithm.MaxProcs))
	}
	return nil
}

// Listener follows a Run. If it cannot keep a Line, it returns an error, which ends the
// Run.
type Listener interface {
	// Start is called before the samples of a suite.
	Start(s Suite)
	// Begin is called before the sample of a case in a round; rounds count from 0.
	Begin(c Case, round int)
	// Line is called with each result.
	Line(Line) error
	// Failed is called when a sample could not be taken. After a violation of
	// mutual exclusion (a *BrokenError), Run does not measure the lock again. After
	// a lock that hangs (a *StuckError), Run measures nothing more.
	Failed(c Case, err error)
}

// Run measures round by round. A round measures the machine and the null lock, then one sample
// of every case, and then how quiet the machine was. So slow changes on the machine affect all
// cases alike. The time of a cache-line transfer varies with the place of the processors. So
// Run measures it anew before each case with several processes. Run returns early with an error
// of Measure or of the listener, or with ctx's error. It returns early without an error if a
// lock hangs.
func (s Suite) Run(ctx context.Context, l Listener) error {
	if err := s.Validate(); err != nil {
		return err
	}
	l.Start(s)
	cases, _ := s.Cases()
	for round := range s.Count {
		before := topo.ReadTimes()
		costs := Machine(ctx)
		for _, c := range costs {
			if err := l.Line(c.Line()); err != nil {
				return err
			}
		}
		null, err := Measure(ctx, baseline.Null, s.Workload.alone(), s.Options)
		if err != nil && !errors.Is(err, ErrIdle) {
			return err
		}
		pending := err == nil // otherwise this round has no line of the null lock
		for i := 0; i < len(cases); i++ {
			c := cases[i]
			l.Begin(c, round)
			sample, err := s.sample(ctx, c, costs, &null)
			var broken *BrokenError
			var stuck *StuckError
			switch {
			case errors.As(err, &broken):
				l.Failed(c, err)
				cases = slices.Delete(cases, i, i+1)
				i--
			case errors.Is(err, ErrIdle):
				l.Failed(c, err)
			case errors.As(err, &stuck):
				l.Failed(c, err)
				return nil
			case err != nil:
				return err
			default:
				if err := l.Line(sample.Line()); err != nil {
					return err
				}
			}
			// This line is not the first in a file, because benchstat compares all lines
			// with the first.
			if pending {
				pending = false
				if err := l.Line(null.Line()); err != nil {
					return err
				}
			}
		}
		if line, ok := quiet(before, topo.ReadTimes()); ok {
			if err := l.Line(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// idleTries is how often a sample is tried whose processes other programs keep from running. In an
// open loop, too few arrivals are the reason.
const idleTries = 3

func (s Suite) sample(ctx context.Context, c Case, costs []Cost, null *Sample) (Sample, error) {
	w := s.workload(c.Procs)
	transfer := transferFor(w, s.Options.Pin)
	sample, err := Measure(ctx, c.Algorithm, w, s.Options)
	for tries := 1; errors.Is(err, ErrIdle) && w.Rate == 0 && tries < idleTries; tries++ {
		sample, err = Measure(ctx, c.Algorithm, w, s.Options)
	}
	if err != nil {
		return Sample{}, err
	}
	sample.derive(c.Algorithm, costs, transfer, null)
	return sample, nil
}
