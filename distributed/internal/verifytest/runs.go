package verifytest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/explore"
	"shmbench/distributed/verify"
)

// Runs makes one run of each algorithm with three nodes of two threads. In a run of an
// algorithm that survives it, the last node crashes and restarts. No step of a run breaks a
// property, and each message has a form of the algorithm. Every process enters twice, unless
// its node crashes. The claims, the states of the nodes at each entry, and the numbers of
// steps and messages must be those of testdata/runs.txt.
func Runs(t *testing.T, algorithms []distributed.Algorithm) {
	t.Helper()
	var text strings.Builder
	for _, a := range algorithms {
		fmt.Fprintf(&text, "%s: %v\n\tclaims: %s\n", a.Name, a.Family, claims(&a))
		run(t, &a, &text)
	}
	same(t, "testdata/runs.txt", text.String())
}

func run(t *testing.T, a *distributed.Algorithm, text *strings.Builder) {
	c := distributed.Config{Nodes: 3, Threads: 2, Lease: verify.Lease}
	if a.Apart {
		c.Nodes++
	}
	nodes, err := a.New(c)
	require.NoError(t, err)
	m := explore.Model{Nodes: explore.Nodes(nodes), Threads: c.Threads, Requests: 2, Apart: a.Apart, FIFO: a.Claims.FIFO}
	if a.Claims.Timely || a.Claims.Timers {
		m.Timing = explore.Timely
	}
	p, err := explore.NewPlayer(m)
	require.NoError(t, err)

	last := distributed.ID(c.Nodes - 1)
	_, restarts := distributed.Unwrapped(nodes[0]).(distributed.Recoverer)
	messages, entries, crashed := 0, 0, false
	steps := 0
	for next := 0; steps < 300; steps++ {
		var e explore.Event
		err = errors.New("no step is left")
		switch {
		case restarts && steps == 30:
			e, err = take(t, a, p, explore.Step{What: "crash", Node: last})
			crashed = true
		case restarts && steps == 45:
			e, err = take(t, a, p, explore.Step{What: "recover", Node: last})
		default:
			candidates := candidates(c)
			for range candidates {
				next = (next + 1) % len(candidates)
				if candidates[next].What == "timer" && len(p.UnderWay()) > 0 {
					continue // no timer expires early
				}
				if e, err = take(t, a, p, candidates[next]); err == nil {
					break
				}
			}
		}
		if err != nil {
			break // nothing is left that could happen
		}
		messages += len(e.Sent)
		for _, m := range e.Sent {
			require.NoError(t, a.Forms.Check(m, c.Nodes), a.Name)
		}
		if len(e.Granted) > 0 {
			entries++
			fmt.Fprintf(text, "\t%s\n", e.Text)
			for i := range nodes {
				fmt.Fprintf(text, "\t\t%s\n", p.State(distributed.ID(i)))
			}
		}
	}
	require.Empty(t, p.Waiting(), a.Name)
	if !crashed {
		askers := c.Nodes
		if a.Apart {
			askers--
		}
		require.Equal(t, 2*askers*c.Threads, entries, a.Name)
	}
	fmt.Fprintf(text, "\t%d entries, %d messages, %d steps\n", entries, messages, steps)
}

// claims lists what a specification says of the system and what it claims.
func claims(a *distributed.Algorithm) string {
	var names []string
	c := a.Claims
	for _, x := range []struct {
		name string
		said bool
	}{
		{"server", a.Server}, {"apart", a.Apart}, {"lease", a.Lease}, {"tree", a.Tree}, {"quorums", a.Quorums},
		{"in order", c.FIFO}, {"timely", c.Timely}, {"timers", c.Timers}, {"deadlock-free", c.DeadlockFree}, {"starvation-free", c.StarvationFree},
		{"crash", c.Crash}, {"restart", c.Restart}, {"loss", c.Loss}, {"duplication", c.Duplication}, {"hang", c.Hang}, {"partition", c.Wins != nil},
	} {
		if x.said {
			names = append(names, x.name)
		}
	}
	if c.CrashFrom > 0 {
		names = append(names, fmt.Sprintf("crash from %d nodes", c.CrashFrom))
	}
	return strings.Join(names, ", ")
}

// take takes a step. It returns an error if the step cannot happen now, and fails the test if
// the step breaks a property.
func take(t *testing.T, a *distributed.Algorithm, p *explore.Player, step explore.Step) (explore.Event, error) {
	e, broken, why, err := p.Take(step)
	require.Empty(t, broken, "%s: %s", a.Name, why)
	return e, err
}

// candidates returns the steps of a run without faults. A run tries them in turn.
func candidates(c distributed.Config) (steps []explore.Step) {
	n := distributed.ID(c.Nodes)
	for i := range n {
		for j := range n {
			steps = append(steps, explore.Step{What: "deliver", Node: i, To: j})
		}
		for th := range distributed.Thread(c.Threads) {
			steps = append(steps, explore.Step{What: "request", Node: i, Thread: th}, explore.Step{What: "release", Node: i, Thread: th})
		}
		for timer := range distributed.TimerID(8) {
			steps = append(steps, explore.Step{What: "timer", Node: i, Timer: timer})
		}
	}
	return steps
}
