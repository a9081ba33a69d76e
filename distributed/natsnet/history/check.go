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

// operation is what the model of a mutex takes: a thread acquires it or gives it
// back.
type operation struct {
	client  int
	acquire bool
	fence   distributed.Fence
}

// mutex is the state of the model.
type mutex struct {
	holder int // -1: nobody
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
		return fmt.Sprintf("%d gives back", op.client)
	},
}

// part is how many entries are checked at a time: what porcupine remembers of a
// history grows with the square of its length.
const part = 1000

// A Verdict is what can be said of a history.
type Verdict struct {
	Entries int    `json:"entries"`
	Holds   bool   `json:"holds"`
	Decided bool   `json:"decided"`
	Detail  string `json:"detail,omitempty"` // if it does not hold: the two that were inside
}

// Check decides whether a history of one machine is that of a mutex with ever
// greater tokens, as far as that can be decided within a time. Who died inside, or
// was inside at the end, has left at some time unknown.
func Check(entries []Entry, within time.Duration) Verdict {
	inside := slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.Entered == 0 })
	slices.SortFunc(inside, func(a, b Entry) int { return cmp.Compare(a.Entered, b.Entered) })
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
			v.Holds, v.Detail = false, overlap(inside)
			return v
		}
	}
	return v
}

// CheckTokens decides what can be said of a history of several machines, whose
// clocks nobody compares: no two permissions have the same token, and those of a
// node grow.
func CheckTokens(entries []Entry) Verdict {
	inside := slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.Entered == 0 })
	v := Verdict{Entries: len(inside), Holds: true, Decided: true}
	had := map[distributed.Fence]Entry{}
	last := map[distributed.ID]Entry{}
	slices.SortStableFunc(inside, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Entered, b.Entered)) // of one node: of one clock
	})
	for _, e := range inside {
		other, twice := had[e.Fence]
		before, again := last[e.Node]
		switch {
		case twice:
			v.Holds, v.Detail = false, fmt.Sprintf("nodes %d and %d both entered with token %v", other.Node, e.Node, e.Fence)
			return v
		case again && e.Fence.Compare(before.Fence) < 0:
			v.Holds, v.Detail = false, fmt.Sprintf("node %d entered with token %v after token %v", e.Node, e.Fence, before.Fence)
			return v
		}
		had[e.Fence], last[e.Node] = e, e
	}
	return v
}

// operations returns entries as porcupine takes them.
func operations(entries []Entry, clients map[[2]int32]int) []porcupine.Operation {
	var all []porcupine.Operation
	for _, e := range entries {
		who := [2]int32{int32(e.Node), int32(e.Thread)}
		client, known := clients[who]
		if !known {
			client = len(clients)
			clients[who] = client
		}
		// A permission is given after it was asked for and before it is noted, and
		// ends after that of it which is noted.
		all = append(all, porcupine.Operation{ClientId: client, Input: operation{client, true, e.Fence}, Call: e.Asked, Return: e.Entered})
		left := porcupine.Operation{ClientId: client, Input: operation{client: client}, Call: e.Left, Return: math.MaxInt64}
		if e.Left == 0 {
			left.Call = e.Entered
		}
		all = append(all, left)
	}
	// Who asks again has given back before.
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

// overlap finds two entries, in order of their beginnings, that a mutex would not
// have let happen so.
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
	return "no order of acquiring and giving back explains it"
}
