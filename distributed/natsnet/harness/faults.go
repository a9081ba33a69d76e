package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/natsnet/bus"
	"shmbench/distributed/natsnet/node"
	"shmbench/distributed/natsnet/wire"
)

// Kill kills the process of node i.
func (r *Run) Kill(i distributed.ID) {
	r.children[i].killed = true
	r.children[i].end()
}

// Restart starts the killed node i in a new process, and waits until the other
// nodes take it back.
func (r *Run) Restart(i distributed.ID) error {
	c, err := r.spawn(i, r.children[i].address)
	if err != nil {
		return err
	}
	r.children[i], r.done[i] = c, false
	if err := r.until(c, func() bool { return c.ready }); err != nil {
		return err
	}
	c.tell(node.Command{Do: node.Meet, Addresses: r.addresses()})
	return r.until(c, func() bool { return c.met })
}

// Pause stops the process of node i until Resume.
func (r *Run) Pause(i distributed.ID) error {
	r.children[i].paused = true
	return pause(r.PID(i))
}

// Resume lets the process of node i continue.
func (r *Run) Resume(i distributed.ID) error {
	r.children[i].paused = false
	return resume(r.PID(i))
}

// Part cuts the nodes of side off from all other nodes. Without arguments it
// joins all nodes.
func (r *Run) Part(side ...distributed.ID) {
	in := make([]bool, len(r.children))
	for _, i := range side {
		in[i] = true
	}
	for i, c := range r.children {
		apart := make([]bool, len(r.children))
		for j := range apart {
			apart[j] = in[i] != in[j]
			if r.o.Algorithm.Apart && (i == 0 || j == 0) {
				apart[j] = false // the register, which all can reach
			}
		}
		c.tell(node.Command{Do: node.Part, Apart: apart})
	}
}

// RestartServer restarts the run's own NATS server.
func (r *Run) RestartServer() error { return r.server.Restart() }

// Flood sends meaningless frames to node i, which is stopped. It stops when the
// run's own NATS server cuts node i off as a slow consumer. The messages to node i
// are then lost too.
func (r *Run) Flood(i distributed.ID) error {
	conn, err := bus.Server{URL: r.server.URL()}.Connect("dmebench flood", func(error) {})
	if err != nil {
		return err
	}
	defer conn.Close()
	junk := make([]byte, wire.MaxFrame)
	subject := bus.Subject(r.run, i, (i+1)%distributed.ID(len(r.children)))
	late := time.After(r.o.Deadline)
	for before := r.server.SlowConsumers(); r.server.SlowConsumers() == before; {
		select {
		case <-late:
			return fmt.Errorf("the server has not cut node %d off after %v", i, r.o.Deadline)
		case <-r.ctx.Done():
			return r.ctx.Err()
		default:
		}
		if err := conn.Publish(subject, junk); err != nil {
			return err
		}
	}
	return nil
}

// soon reports whether node i, which has made a request, enters before
// Options.Hold is over.
func (r *Run) soon(i distributed.ID) (enters bool, err error) {
	deadline := r.o.Deadline
	defer func() { r.o.Deadline = deadline }()
	r.o.Deadline = cmp.Or(r.o.Hold, deadline)
	var stall *Stall
	if err = r.Inside(i); errors.As(err, &stall) {
		return false, nil
	}
	return err == nil, err
}

// A Fault is a fault that PlayFault plays in a run of five nodes.
type Fault struct {
	Name, What string
	Trial      string // the name of the same trial in package verify; "": there is none
	Server     bool   // it needs the run's own NATS server

	// play causes the fault, and returns an observation about it.
	play func(r *Run) (says string, err error)
	// Claimed reports whether the algorithm claims that the other nodes continue.
	Claimed func(a *distributed.Algorithm) bool
}

// FaultNodes is the number of nodes in a run of PlayFault.
const FaultNodes = 5

func crash(a *distributed.Algorithm) bool { return a.Claims.Crash }

// untimed reports whether an algorithm waits for slow nodes: it believes no node dead,
// and a late message comes in time.
func untimed(a *distributed.Algorithm) bool { return !a.Claims.Timely }

// Faults lists the faults in the order of the table.
var Faults = []Fault{
	{
		Name: "kill last", What: "kill -9 of node 4 at rest: the leader, where the highest leads", Trial: "crash",
		Claimed: crash,
		play:    func(r *Run) (string, error) { r.Kill(4); return "", nil },
	},
	{
		Name: "kill first", What: "kill -9 of node 0 at rest: the coordinator, the root, the register, or the first node with the token", Trial: "crash",
		Claimed: func(a *distributed.Algorithm) bool { return crash(a) && !a.Apart }, // where node 0 is a register that does not
		play:    func(r *Run) (string, error) { r.Kill(0); return "", nil },
	},
	{
		Name: "kill inside", What: "kill -9 of node 3 in its critical section, with the permission or the token", Trial: "crash",
		Claimed: crash,
		play: func(r *Run) (string, error) {
			err := r.Enter(3)
			r.Kill(3)
			return "", err
		},
	},
	{
		Name: "restart", What: "kill -9 of node 4 at rest; it is started again, and is to enter with the others", Trial: "restart",
		Claimed: func(a *distributed.Algorithm) bool { return a.Claims.Restart },
		play: func(r *Run) (string, error) {
			r.Kill(4)
			err := r.Restart(4)
			if err == nil {
				return "node 4 is taken back", nil
			}
			if r.ctx.Err() != nil || r.o.Algorithm.Claims.Restart {
				return "", err
			}
			r.children[4].killed = true
			return "node 4 is not taken back", nil
		},
	},
	{
		Name: "pause inside", What: "SIGSTOP of node 3 in its critical section; node 2 asks; SIGCONT after a while, or when node 2 enters", Trial: "late",
		Claimed: untimed,
		play: func(r *Run) (says string, err error) {
			if err := errors.Join(r.Enter(3), r.Pause(3)); err != nil {
				return "", err
			}
			r.Ask(2)
			says = "two in their critical sections while one was stopped"
			switch enters, err := r.soon(2); {
			case err != nil:
				return "", err
			case !enters:
				says = "the others waited while it was stopped"
			}
			return says, errors.Join(r.Resume(3), r.Leave(3), r.Inside(2), r.Leave(2))
		},
	},
	{
		Name: "partition", What: "nodes 3 and 4 are parted from the others; node 1 asks; joined after a while, or when node 1 has left", Trial: "partition",
		Claimed: func(a *distributed.Algorithm) bool { return untimed(a) || a.Claims.Wins != nil },
		play: func(r *Run) (says string, err error) {
			r.Part(3, 4)
			r.Ask(1)
			says = "the larger side went on"
			switch enters, err := r.soon(1); {
			case err != nil:
				return "", err
			case !enters:
				says = "all waited while it lasted"
			}
			r.Part()
			return says, errors.Join(r.Inside(1), r.Leave(1))
		},
	},
	{
		Name: "server", What: "the NATS server is restarted while node 3 is in its critical section and node 2 asks", Server: true,
		Claimed: untimed, // it takes longer than a tick
		play: func(r *Run) (string, error) {
			if err := r.Enter(3); err != nil {
				return "", err
			}
			r.Ask(2)
			return "", errors.Join(r.RestartServer(), r.Leave(3), r.Inside(2), r.Leave(2))
		},
	},
	{
		Name: "slow", What: "node 3 asks while node 2 is in its critical section; SIGSTOP; it is flooded until the NATS server cuts it off as a slow consumer; node 2 leaves; SIGCONT", Server: true, Trial: "late",
		Claimed: untimed,
		play: func(r *Run) (string, error) {
			if err := r.Enter(2); err != nil {
				return "", err
			}
			r.Ask(3)
			return "", errors.Join(r.Pause(3), r.Flood(3), r.Leave(2), r.Resume(3), r.Inside(3), r.Leave(3))
		},
	},
}

// An Outcome is the effect of a fault on a run.
type Outcome struct {
	Algorithm string        `json:"algorithm"`
	Fault     string        `json:"fault"`
	Claimed   bool          `json:"claimed"` // the algorithm claims that the other nodes continue
	GoesOn    bool          `json:"goes_on"` // all live nodes have entered since the fault
	After     time.Duration `json:"after"`   // the longest time from the fault to the entry of a live node
	Says      string        `json:"says"`    // further observations; the nodes that each node waits for, if the run does not go on
	Two       bool          `json:"two"`     // two threads were in the critical section, or a token was not greater than the one before
	Lost      int64         `json:"lost"`    // lost updates of the resource
	Refused   int           `json:"refused"` // refused writes with an old token
	Resent    int64         `json:"resent"`  // messages sent again because they or their acknowledgements were lost or late
}

// Violates reports whether the outcome contradicts the claim, or an update was lost
// in spite of the fence.
func (o *Outcome) Violates() bool { return o.Claimed && (!o.GoesOn || o.Two) || o.Lost > 0 }

// PlayFault causes f in a run of o, and then lets each live node enter, one after
// the other. It ends by the deadline, or shortly after it. It returns an error if
// the run fails for a reason other than f.
func PlayFault(ctx context.Context, o Options, f *Fault) (*Outcome, error) {
	r, err := Begin(ctx, o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	outcome := &Outcome{Algorithm: o.Algorithm.Name, Fault: f.Name, Claimed: f.Claimed(o.Algorithm)}
	r.o.Deadline = max(o.Deadline, starting) // of what is no fault's doing
	first := distributed.ID(0)
	if o.System.Server {
		first = 1
	}
	for i := first; i < distributed.ID(o.System.Nodes); i++ { // the token has been everywhere
		if err := errors.Join(r.Enter(i), r.Leave(i)); err != nil {
			return nil, fmt.Errorf("before the fault: %w", err)
		}
	}
	if err := errors.Join(r.Enter(first), r.Leave(first)); err != nil { // and is where it was
		return nil, fmt.Errorf("before the fault: %w", err)
	}
	r.o.Deadline = o.Deadline
	began := time.Now()
	outcome.Says, err = f.play(r)
	for i := first; err == nil && i < distributed.ID(o.System.Nodes); i++ {
		if c := r.children[i]; !c.killed {
			if err = r.Enter(i); err == nil {
				err = r.Leave(i)
			}
		}
	}
	outcome.After = time.Since(began)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil: // a stall, or a node that says why it cannot go on
		outcome.Says = strings.TrimPrefix(outcome.Says+"; "+err.Error(), "; ")
	default:
		outcome.GoesOn = true
		r.look()
	}
	for _, report := range r.reports {
		if report != nil {
			outcome.Resent += report.Counts.Resent
		}
	}
	result, _, err := r.Judge()
	if err != nil {
		return nil, err
	}
	outcome.Two, outcome.Lost, outcome.Refused = !result.History.Holds, result.Lost, result.Refused
	return outcome, nil
}
