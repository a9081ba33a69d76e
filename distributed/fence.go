package distributed

import (
	"cmp"
	"fmt"
)

// A Fence is a fencing token. Every permission to enter carries a greater fence than the
// permission before it. A resource that refuses a fence less than the greatest it has seen
// takes no write from a process that should have left. These are the sequencers of Mike
// Burrows, The Chubby Lock Service, OSDI 2006, section 2.4.
//
// The nodes need not know the fence. The program that runs the nodes keeps the greatest fence
// that each node has heard of, sends it with every message, and adds one at each permission.
// The fence grows, because each permission is a consequence of messages that were sent after
// the end of the permission before it. Otherwise no algorithm without a clock could exclude.
// A node that stops waiting because a timer has expired breaks that chain: there may be a
// permission that no other node has heard of. So a node adds one at each expiry of a timer
// too, and the node of a new leader is [Epochal].
type Fence struct {
	Epoch int64 `json:"epoch"` // of an Epochal node, otherwise 0
	Count int64 `json:"count"` // of permissions, and of timers that expired
}

// Compare returns -1, 0 or 1 as f is less than g, the same, or greater.
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

// Next returns the fence of a permission that node n gives after it has heard of f.
func (f Fence) Next(n Node) Fence {
	if e, epochal := Unwrapped(n).(Epochal); epochal {
		f.Epoch = max(f.Epoch, e.Epoch())
	}
	f.Count++
	return f
}

// Lapsed returns the fence of a node that heard of f after one of its timers
// expired.
func (f Fence) Lapsed() Fence {
	f.Count++
	return f
}

func (f Fence) String() string { return fmt.Sprintf("%d.%d", f.Epoch, f.Count) }

// An Epochal node gives its permissions in epochs. One that begins after the
// crash of a node has a greater number than all before, whatever the dead one
// knew.
type Epochal interface{ Epoch() int64 }
