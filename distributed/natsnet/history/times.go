package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	"shmbench/distributed"
)

// operation is an operation on the model of a mutex: a thread acquires it or
// releases it.
type operation struct {
	client  int
	acquire bool
	fence   distributed.Fence
}

// mutex is the state of the model.
type mutex struct {
	holder int // -1: no thread
	fence  distributed.Fence
}

// model is a mutex whose permissions have ever greater tokens.
var model = porcupine.Model{
	Init: func() any { return mutex{holder: -1} },
	Step: func(state, input, _ any) (bool, any) {
		s, op := state.(mutex), input.(operation)
		switch {
		case op.acquire:
			return s.holder < 0 && op.fence.Compare(s.fence) > 0, mutex{op.client, op.fence}
		default:
			return s.holder == op.client, mutex{-1, s.fence}
		}
	},
	DescribeOperation: func(input, _ any) string {
		op := input.(operation)
		if op.acquire {
			return fmt.Sprintf("%d acquires with token %v", op.client, op.fence)
		}
		return fmt.Sprintf("%d releases", op.client)
	},
}

// part is how many entries porcupine checks at a time: what it remembers of a
// history grows with the square of the length.
const part = 1000

// checkTimes decides whether entries, whose times come from one clock, are the
// history of a mutex with ever greater tokens. It leaves the question open if the
// time is not enough. A thread that has not left when the history ends has left at
// an unknown time.
func checkTimes(entries []Entry, within time.Duration) Verdict {
	inside := slices.Clone(entries)
	slices.SortStableFunc(inside, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Entered, b.Entered), a.Fence.Compare(b.Fence))
	})
	v := Verdict{Entries: len(inside), Holds: true, Decided: true}
	clients := map[[2]int32]int{}
	end := time.Now().Add(within)
	for from := 0; from < len(inside); from += part {
		// One entry of the part before joins the parts together.
		first := max(0, from-1)
		history := operations(inside[first:min(from+part, len(inside))], clients)
		switch porcupine.CheckOperationsTimeout(model, history, max(time.Until(end), time.Millisecond)) {
		case porcupine.Unknown:
			v.Decided = false
		case porcupine.Illegal:
			v.Holds, v.Decided, v.Detail = false, true, overlap(inside)
			return v
		}
	}
	return v
}

// operations returns entries in the form that porcupine reads.
func operations(entries []Entry, clients map[[2]int32]int) []porcupine.Operation {
	var all []porcupine.Operation
	for _, e := range entries {
		thread := [2]int32{int32(e.Node), int32(e.Thread)}
		client, known := clients[thread]
		if !known {
			client = len(clients)
			clients[thread] = client
		}
		// The permission begins after the request and before the note of it. It
		// ends after the note that the thread leaves.
		all = append(all, porcupine.Operation{ClientId: client, Input: operation{client, true, e.Fence}, Call: e.Asked, Return: e.Entered})
		left := porcupine.Operation{ClientId: client, Input: operation{client: client}, Call: e.Left, Return: math.MaxInt64}
		if e.Left == 0 {
			left.Call = e.Entered
		}
		all = append(all, left)
	}
	// A thread that asks again has left before.
	next := map[int]int64{}
	for k := len(all) - 2; k >= 0; k -= 2 {
		client := all[k].ClientId
		if again, asks := next[client]; asks {
			all[k+1].Return = max(again, all[k+1].Call)
		}
		next[client] = all[k].Call
	}
	return all
}

// overlap finds two entries, in the order of their beginnings, that no mutex allows.
func overlap(inside []Entry) string {
	for k := 1; k < len(inside); k++ {
		a, b := &inside[k-1], &inside[k]
		switch {
		case a.Left != 0 && b.Entered < a.Left:
			return fmt.Sprintf("node %d (process %d) entered with token %v %v before node %d (process %d) left with token %v",
				b.Node, b.PID, b.Fence, time.Duration(a.Left-b.Entered), a.Node, a.PID, a.Fence)
		case b.Fence.Compare(a.Fence) <= 0:
			return fmt.Sprintf("node %d (process %d) entered with token %v after node %d (process %d) with token %v",
				b.Node, b.PID, b.Fence, a.Node, a.PID, a.Fence)
		}
	}
	return "no order of acquiring and releasing explains the times"
}
