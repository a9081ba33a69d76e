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

// team is what runners have in common that check locks at the same time: to learn a
// lock, and to check it against its compiled code, leaves processors idle. A nil team
// is that of a runner alone.
type team struct {
	size    int
	large   sync.Mutex // held by the one whose search is a large one
	compile sync.Once
	code    *replay.Program
	without error // why there is none
}

// search returns what is to be called when a search becomes large, which waits
// until no other is, and when it has been given up.
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

// learns is how much memory what is learned of a lock may take: together with what
// the other runners learn, a quarter of what the searches may.
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

// mostRunners is how many runners a team has at most. Those searches that are not
// large take no more than so many shares of the memory that a search may take.
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
