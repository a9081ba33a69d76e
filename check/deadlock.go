package check

import (
	"context"
	"math"

	"shmbench/check/internal/explored"
	"shmbench/check/internal/trace"
	"shmbench/check/internal/verdict"
)

// deadlockVerdict is the verdict on deadlock freedom where no edges were kept.
type deadlockVerdict struct {
	verdict Verdict
	traces  []*trace.Trace
	// why says why there is no verdict though every state was visited.
	why string
}

// deadlock decides deadlock freedom on a graph whose edges were not kept.
func deadlock(ctx context.Context, x *explored.Lock) *deadlockVerdict {
	room := int64(math.MaxInt64)
	if x.Opts.MaxBytes > 0 {
		room = x.Opts.MaxBytes - x.Graph.Bytes
	}
	space := x.WholeSpace()
	lasso, decided := space.DeadlockAgain(ctx, room)
	switch {
	case ctx.Err() != nil:
		return &deadlockVerdict{verdict: Unknown, why: "interrupted"}
	case !decided:
		return &deadlockVerdict{verdict: Unknown, why: "the search for a deadlock needs more memory than the limit allows"}
	case lasso == nil:
		return &deadlockVerdict{verdict: unless(x, false)}
	}
	whole := *x
	whole.Space = space
	return &deadlockVerdict{verdict: Violated, traces: []*trace.Trace{lassoOf(&whole, verdict.DeadlockFreedom, deadlocked, lasso)}}
}

// deadlocked is what an execution against deadlock freedom shows.
const deadlocked = "no process ever enters again, though one is trying"
