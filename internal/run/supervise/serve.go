package supervise

import (
	"context"
	"errors"
	"os"
	"runtime"

	"shmbench/internal/run/isolate"
	"shmbench/shm/region"
)

// Child is what a child knows of itself.
type Child struct {
	Region       *region.Region
	Number, Life int // its number, and how many lives of this number came before
}

// errOrphan is the error of a child whose supervisor ended before the child began.
var errOrphan = errors.New("the supervisor has ended")

// Serve is called first in main. In a child of the service it calls answer with one
// processor for Go and with the region attached, and ends the program; otherwise it does
// nothing. If the file of the region shrinks, the accesses of answer's own goroutine end it
// with a *region.FaultError.
func Serve[Q, A any](ctx context.Context, service string, answer func(context.Context, Child, Q) (A, error)) {
	isolate.Child(ctx, service, func(ctx context.Context, q question[Q]) (a A, err error) {
		if os.Getppid() != q.Parent {
			return a, errOrphan
		}
		runtime.GOMAXPROCS(1)
		r, err := region.Attach(q.Region)
		if err != nil {
			return a, err
		}
		fault := r.Guard(func() { a, err = answer(ctx, Child{r, q.Number, q.Life}, q.Question) })
		return a, errors.Join(err, fault, r.Close())
	})
}
