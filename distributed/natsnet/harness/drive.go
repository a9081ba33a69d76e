package harness

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/node"
	"shmbench/distributed/sim"
)

// A Stall is the error of a run in which a process waits and no process enters.
type Stall struct{ text string }

func (s *Stall) Error() string { return s.text }

// Load runs the load to its end and returns how many messages the nodes have
// sent. It returns an error if the run stalls, a node fails, or the context ends.
func (r *Run) Load() (messages int64, err error) {
	if r.o.Load.One() {
		return r.oneAtATime()
	}
	r.tellAll(node.Command{Do: node.Begin})
	watch := time.NewTicker(max(r.o.Deadline/4, 10*time.Millisecond))
	defer watch.Stop()
	var entries int64
	since := time.Now()
	for slices.Contains(r.done, false) {
		select {
		case s := <-r.events:
			if err := r.hear(s); err != nil {
				return 0, err
			}
		case <-watch.C:
			var now int64
			for _, report := range r.reports {
				if report != nil {
					now += report.Entries
				}
			}
			if now != entries {
				entries, since = now, time.Now()
			}
			if time.Since(since) > r.o.Deadline {
				return 0, r.stalled()
			}
			r.tellAll(node.Command{Do: node.Look})
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		}
	}
	return r.settled()
}

// oneAtATime lets the nodes make requests in the order of a simulation with the
// same seed.
func (r *Run) oneAtATime() (messages int64, err error) {
	next := sim.Askers(r.simulated())
	for range r.o.Warmup + r.o.Entries {
		i := next()
		if err := r.Enter(i); err != nil {
			return 0, err
		}
		if _, err = r.settled(); err != nil {
			return 0, err
		}
		if err := r.Leave(i); err != nil {
			return 0, err
		}
		if messages, err = r.settled(); err != nil {
			return 0, err
		}
	}
	return messages, nil
}

// Enter lets the first thread of node i make a request, in a run whose nodes make requests
// one at a time. It waits until the thread is in its critical section. The thread stays there
// until Leave. Enter returns an error if the run stalls or a node fails.
func (r *Run) Enter(i distributed.ID) error {
	r.Ask(i)
	return r.Inside(i)
}

// Ask is like Enter, but does not wait.
func (r *Run) Ask(i distributed.ID) {
	r.children[i].asked++
	r.children[i].tell(node.Command{Do: node.Ask})
}

// Inside waits, after Ask, until the thread of node i is in its critical section.
func (r *Run) Inside(i distributed.ID) error {
	c := r.children[i]
	return r.until(c, func() bool { return c.entered == c.asked })
}

// Leave makes the thread of node i leave, and waits until it has left.
func (r *Run) Leave(i distributed.ID) error {
	c := r.children[i]
	c.tell(node.Command{Do: node.Leave}) // or its permission is taken back
	return r.until(c, func() bool { return c.left == c.entered })
}

// until waits until c has reported what told checks. The failure of another node
// does not end the wait.
func (r *Run) until(c *child, told func() bool) error {
	late := time.After(r.o.Deadline)
	for !told() {
		select {
		case s := <-r.events:
			if err := r.hear(s); err != nil && s.from == c {
				return err
			}
		case <-late:
			return r.stalled()
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
	}
	return nil
}

// restless is how often the harness asks the nodes whether the system is at rest.
// Some algorithms never rest.
const restless = 50

// settled waits until no message is under way, and returns how many were sent.
func (r *Run) settled() (sent int64, err error) {
	for range restless {
		// Whatever was taken before was sent before: so if the sums are equal
		// nothing was under way in between.
		taken := int64(0)
		for pass := range 2 {
			sent = 0
			sum := int64(0)
			r.tellAll(node.Command{Do: node.Count})
			if err := r.all(node.Counted, func(s said) { sent += s.Sent; sum += s.Taken }); err != nil {
				return 0, err
			}
			if pass == 0 {
				taken = sum
			}
		}
		if taken == sent {
			break
		}
	}
	return sent, nil
}

// look asks all nodes for a report. A node that does not answer has no report.
func (r *Run) look() {
	clear(r.reports)
	r.tellAll(node.Command{Do: node.Look})
	missing := func() bool {
		return slices.ContainsFunc(r.children, func(c *child) bool { return r.reports[c.id] == nil && c.gone() == "" && !c.paused })
	}
	for late := time.After(max(r.o.Deadline/4, time.Second)); missing(); {
		select {
		case s := <-r.events:
			r.hear(s)
			continue
		case <-late:
		case <-r.ctx.Done():
		}
		break
	}
}

// stalled returns an error that says for which node each node waits.
func (r *Run) stalled() error {
	r.look()
	return &Stall{r.whoWaits()}
}

// whoWaits says, from the nodes' last reports, for which node each node waits.
func (r *Run) whoWaits() string {
	var b strings.Builder
	fmt.Fprintf(&b, "a thread waits and none has entered for %v", r.o.Deadline)
	var silent []distributed.ID
	for i, report := range r.reports {
		if report == nil {
			silent = append(silent, distributed.ID(i))
		}
	}
	cut := false // a node cannot reach another one
	for i, report := range r.reports {
		if report == nil {
			cut = true
			how := r.children[i].gone()
			if how == "" {
				how = fmt.Sprintf("its process %d does not answer", r.PID(distributed.ID(i)))
			}
			if why := r.children[i].why; why != "" {
				how += ": " + why
			}
			if r.children[i].paused {
				how = fmt.Sprintf("its process %d is stopped", r.PID(distributed.ID(i)))
			}
			fmt.Fprintf(&b, "\nnode %d: %s", i, how)
			if r.inside != nil && r.inside.from.id == distributed.ID(i) {
				fmt.Fprintf(&b, "; it was the last to enter, with token %v", r.inside.Fence)
			}
			continue
		}
		for _, w := range report.Inside {
			fmt.Fprintf(&b, "\nnode %d: in its critical section for %v, with token %v", i, w.For.Round(time.Millisecond), w.Fence)
		}
		for _, w := range report.Waiting {
			fmt.Fprintf(&b, "\nnode %d: waits for %v; %s", i, w.For.Round(time.Millisecond), report.State)
		}
		for _, p := range report.Peers {
			silence := p.Silent.Round(time.Millisecond)
			if p.Silent < 2*link.Silence && !slices.Contains(silent, p.Node) {
				continue // what is sent is on its way
			}
			cut = true
			switch {
			case p.Unacked > 0:
				fmt.Fprintf(&b, "\nnode %d: waits for node %d to take %d of its messages; it has been silent for %v", i, p.Node, p.Unacked, silence)
			case slices.Contains(silent, p.Node) && len(report.Waiting) > 0:
				fmt.Fprintf(&b, "\nnode %d: node %d has taken all that it was sent, and has been silent for %v", i, p.Node, silence)
			}
		}
	}
	if !cut { // then it is the algorithm itself that goes no further
		for i, report := range r.reports {
			if len(report.Waiting) == 0 {
				fmt.Fprintf(&b, "\nnode %d: is heard by all; %s", i, report.State)
			}
		}
	}
	return b.String()
}
