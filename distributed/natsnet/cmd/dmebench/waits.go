package main

import (
	"fmt"
	"io"
	"time"

	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/node"
)

// speaksAfter is the time without progress after which a node names the nodes that it
// waits for. Then it names them after twice that time, and so on.
const speaksAfter = 10 * time.Second

// waits is how long a node without a parent has waited, and for which nodes.
type waits struct {
	patience time.Duration // 0: no end
	begun    bool

	progress time.Time // when something went on last
	met      int
	next     time.Duration // without progress, after which it speaks again; 0: speaksAfter
}

// look returns messages about the state of the node, and whether the node's patience
// is over. over says that the node's own load is over.
func (w *waits) look(r *node.Report, over bool, now time.Time) (lines []string, given bool) {
	waiting := w.waiting(r, over, now)
	if waiting == 0 {
		w.next = 0
		return nil, false
	}
	given = w.patience > 0 && waiting >= w.patience
	if w.next == 0 {
		w.next = speaksAfter
		if w.patience > 0 {
			w.next = min(w.next, w.patience/2)
		}
	}
	if waiting < w.next && !given {
		return nil, false
	}
	w.next *= 2
	return w.lines(r, over, waiting), given
}

// waiting returns how long the node has waited without progress; 0: it does not wait.
func (w *waits) waiting(r *node.Report, over bool, now time.Time) (long time.Duration) {
	met := 0
	for _, p := range r.Peers {
		if p.Met {
			met++
		}
	}
	if met > w.met {
		w.met, w.progress, w.next = met, now, 0
	}
	switch {
	case !w.begun:
		return now.Sub(w.progress)
	case !over:
		long = r.ServerDown
		for _, t := range append(r.Waiting, r.Storing...) {
			long = max(long, t.For)
		}
	default: // the node that spoke last may still go on
		long = -1
		for _, p := range r.Peers {
			if !p.Done && !p.Left && p.Met && (long < 0 || p.Silent < long) {
				long = p.Silent
			}
		}
		if long < 2*link.Silence {
			long = 0
		}
	}
	return long
}

// lines names the nodes that the node waits for.
func (w *waits) lines(r *node.Report, over bool, waiting time.Duration) (lines []string) {
	head := fmt.Sprintf("no progress for %v", waiting.Round(time.Second))
	if w.patience > waiting.Round(time.Second) { // else the node ends now
		head += fmt.Sprintf(", and ends after %v (-patience)", w.patience)
	}
	switch {
	case !w.begun:
		head += ": waits to meet all nodes"
	case over:
		head += ": its own load is over, and it waits for the others'"
	default:
		if len(r.Waiting) > 0 {
			head += ": a thread waits to enter"
		}
		if n := len(r.Waiting); n > 1 {
			head = fmt.Sprintf("%s, and %d more", head, n-1)
		}
		if len(r.Storing) > 0 {
			head += ": a thread waits for the resource, or for the server that keeps the lock"
		}
		if r.State != "" {
			head += "; " + r.State
		}
	}
	lines = append(lines, head)
	if r.Trouble != "" {
		lines = append(lines, "requests are repeated: "+r.Trouble)
	}
	if r.ServerDown > 0 {
		lines = append(lines, fmt.Sprintf("the NATS server has not been reachable for %v", r.ServerDown.Round(time.Second)))
	}
	const most = 10
	for _, p := range r.Peers {
		why := w.why(p, over)
		if why == "" {
			continue
		}
		if len(lines) > most {
			return append(lines, "and so on for further nodes")
		}
		lines = append(lines, fmt.Sprintf("waits for node %d: %s", p.Node, why))
	}
	return lines
}

// why says why the node waits for p, or returns "" if the node does not know that
// it waits.
func (w *waits) why(p link.Peer, over bool) string {
	silence := fmt.Sprintf("it has been silent for %v", p.Silent.Round(time.Second))
	switch {
	case p.Differs != "" && !p.Met:
		return "it was started otherwise: " + p.Differs
	case !p.Met && !w.begun:
		return "it has not been met"
	case p.Left && !p.Done:
		return "its process has ended before its load was over"
	case over && p.Done:
		return ""
	case p.Silent < 2*link.Silence && !over:
		return "" // what it is sent is on its way
	case p.Unacked > 0:
		return fmt.Sprintf("%s, and has not taken %s", silence, messages(p.Unacked))
	case p.Silent < 2*link.Silence:
		return "its load is not over"
	}
	return silence
}

// messages returns n with the word for messages.
func messages(n int) string {
	if n == 1 {
		return "a message"
	}
	return fmt.Sprintf("%d messages", n)
}

// printEnd prints the state of a node at its end.
func printEnd(w io.Writer, r *node.Report) {
	var sent int64
	for _, k := range r.Kinds {
		sent += k
	}
	fmt.Fprintf(w, "node %d: %d entries, %d messages sent, %d sent again\n", r.Node, r.Entries, sent, r.Counts.Resent)
	if text := dropped(r); text != "" {
		fmt.Fprintf(w, "node %d: not taken: %s\n", r.Node, text)
	}
}

// dropped says which frames a node has dropped, or returns "" if there are none.
func dropped(r *node.Report) (text string) {
	c := r.Counts
	for _, k := range []struct {
		n    int64
		what string
	}{
		{r.Strangers, "connections of strangers"}, {c.Foreign, "frames of others"}, {c.Malformed, "malformed frames"}, {c.Oversized, "oversized frames"},
		{c.Misaddressed, "misaddressed frames"}, {c.Strange, "frames of processes that are not met"}, {c.Refused, "hellos of a second process"},
		{int64(r.Dropped), "frames that came too fast"},
	} {
		if k.n > 0 {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%d %s", k.n, k.what)
		}
	}
	return text
}
