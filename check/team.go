package check

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"shmbench/check/internal/replay"
	"shmbench/check/internal/source"
	"shmbench/shm"
)

// team is shared by runners that check locks at the same time. One runner alone leaves processors
// idle while it learns a lock or replays it on the compiled code. The team of a single runner is
// nil.
type team struct {
	size    int
	large   sync.Mutex // held during a large search
	compile sync.Once
	code    *replay.Program
	without error // why there is none
}

// search returns two functions. A search calls large when it becomes large: large waits until no
// other search is. The runner calls end after the search.
func (t *team) search() (large, end func()) {
	if t == nil {
		return nil, func() {}
	}
	is := false
	large = func() {
		if !is {
			t.large.Lock()
			is = true
		}
	}
	return large, func() {
		if is {
			t.large.Unlock()
		}
	}
}

// learns returns the memory that the learned automata of a runner may take. Those of all runners
// together may take a quarter of the memory of the searches.
func (t *team) learns(o Options) int64 {
	if t == nil {
		return o.MaxBytes / 4
	}
	return o.MaxBytes / 4 / int64(t.size)
}

// compiled returns a program with the compiled locks for one runner, which closes
// it. The team builds it once.
func (t *team) compiled(ctx context.Context, l *source.Lock) (*replay.Program, error) {
	if t == nil {
		return l.Compiled(ctx)
	}
	t.compile.Do(func() { t.code, t.without = l.Compiled(ctx) })
	if t.without != nil {
		return nil, t.without
	}
	return t.code.Again(), nil
}

func (t *team) close() {
	if t.code != nil {
		t.code.Close()
	}
}

// bySource groups algorithms by the source that they are variants of: their verdicts
// are found once.
func bySource(algorithms []shm.Algorithm) (groups [][]shm.Algorithm) {
	for _, a := range algorithms {
		if last := len(groups) - 1; last >= 0 && a.VariantOf != "" && a.VariantOf == groups[last][0].Name {
			groups[last] = append(groups[last], a)
		} else {
			groups = append(groups, []shm.Algorithm{a})
		}
	}
	return groups
}

// mostRunners is the largest number of runners of a team. Together, their searches that are not
// large then take at most half of MaxBytes.
const mostRunners = largeShare / 2

// sideBySide checks every algorithm of the groups, each group by one runner and one
// after the other, and returns the reports in their order. It ends at the first
// error, with what was found by then.
func sideBySide(ctx context.Context, groups [][]shm.Algorithm, o Options, check func(context.Context, *runner, shm.Algorithm) ([]*Report, error)) ([]*Report, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	t := &team{size: min(mostRunners, runtime.GOMAXPROCS(0), len(groups))}
	defer t.close()
	if each := o.Each; each != nil {
		var one sync.Mutex
		o.Each = func(r *Report) {
			one.Lock()
			defer one.Unlock()
			each(r)
		}
	}
	reports, faults := make([][]*Report, len(groups)), make([][]error, len(groups))
	next := make(chan int)
	var runners sync.WaitGroup
	for range t.size {
		runners.Go(func() {
			run := &runner{o: o, team: t}
			defer run.close()
			for i := range next {
				for _, a := range groups[i] {
					of, err := check(ctx, run, a)
					reports[i] = append(reports[i], of...)
					if InternalErrors(err) != nil {
						faults[i] = append(faults[i], err)
					} else if err != nil {
						cancel(err)
						return
					}
				}
			}
		})
	}
	for i := range groups {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	runners.Wait()
	err := context.Cause(ctx)
	if err == nil {
		err = errors.Join(slices.Concat(faults...)...)
	}
	return slices.Concat(reports...), err
}
