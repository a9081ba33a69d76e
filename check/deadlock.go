package check

import (
	"context"
	"math"

	"shmbench/check/internal/explore"
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

// deadlock decides deadlock freedom on a graph whose edges were not kept. Where its states were counted up to symmetries and there is a
// deadlock, it explores those that tell processes apart, for an execution.
func deadlock(ctx context.Context, x *explored.Lock) *deadlockVerdict {
	if _, made := explore.ReductionsOf(x.Graph.Sys); made == explore.ForFaults {
		return &deadlockVerdict{verdict: Unknown, why: "the search with the steps that deadlock freedom depends on reached a bound"}
	}
	if q, ok := x.Graph.Sys.(*explore.Quotient); ok {
		if has, decided := x.WholeSpace().HasDeadlock(ctx, q, room(x)); decided && !has {
			return &deadlockVerdict{verdict: unless(x, false)}
		}
		if x = x.Unfolded(ctx, room(x)); !x.Graph.Exhausted {
			return &deadlockVerdict{verdict: Unknown, why: "the search that tells processes apart reached a bound"}
		}
	}
	space := x.WholeSpace()
	lasso, decided := space.DeadlockWithoutEdges(ctx, room(x))
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

// room returns the memory, in bytes, that the bounds leave beside the graph.
func room(x *explored.Lock) int64 {
	if x.Opts.MaxBytes == 0 {
		return math.MaxInt64
	}
	return x.Opts.MaxBytes - x.Graph.Bytes
}

// deadlocked describes the end of a counterexample to deadlock freedom.
const deadlocked = "no process ever enters again, though one is trying"
