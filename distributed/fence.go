package distributed

import (
	"cmp"
	"fmt"
)

// A Fence is a fencing token. Every permission to enter carries a greater fence than the
// permission before it. A resource that refuses every fence less than the greatest that it
// has seen accepts no write from a process whose permission is over. Fences are the
// sequencers of Mike Burrows, The Chubby Lock Service, OSDI 2006, section 2.4.
//
// The nodes need not know the fence. The program that runs the nodes keeps the greatest fence
// that each node has heard of. It sends this fence with every message, and adds one at each
// permission. The fence grows, because each permission is a consequence of messages that were
// sent after the end of the permission before it. Otherwise no algorithm without a clock
// could guarantee mutual exclusion. A node that stops waiting because a timer has expired
// breaks that chain: another node may hold a permission that this node has not heard of. So a
// node adds one at each expiry of a timer too, and the node of a new leader is [Epochal].
type Fence struct {
	Epoch int64 `json:"epoch"` // the epoch of an Epochal node, otherwise 0
	Count int64 `json:"count"` // the number of permissions and of expired timers
}

// Compare returns -1, 0 or 1 if f is less than, equal to, or greater than g.
func (f Fence) Compare(g Fence) int {
	return cmp.Or(cmp.Compare(f.Epoch, g.Epoch), cmp.Compare(f.Count, g.Count))
}

// Max returns the greater of f and g.
func (f Fence) Max(g Fence) Fence {
	if f.Compare(g) < 0 {
		return g
	}
	return f
}

// Next returns the fence of a permission that node n gives when f is the greatest
// fence that it has heard of.
func (f Fence) Next(n Node) Fence {
	if e, epochal := Unwrapped(n).(Epochal); epochal {
		f.Epoch = max(f.Epoch, e.Epoch())
	}
	f.Count++
	return f
}

// Lapsed returns the fence of a node that has heard of f, after the expiry of one
// of its timers.
func (f Fence) Lapsed() Fence {
	f.Count++
	return f
}

func (f Fence) String() string { return fmt.Sprintf("%d.%d", f.Epoch, f.Count) }

// An Epochal node gives its permissions in epochs. An epoch that begins after the
// crash of a node has a greater number than all earlier epochs. The
// earlier epochs include those that only the crashed node knew of.
type Epochal interface{ Epoch() int64 }
