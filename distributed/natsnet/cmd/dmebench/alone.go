package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/node"
	"shmbench/internal/cli"
)

// linger is how long a node still answers after the end of all nodes' loads. The
// other nodes may not have heard of this end.
const linger = 4 * link.Silence

// alone is a node without a parent. It begins when all nodes have met. It ends when
// the load of all nodes is over, or when its patience is.
type alone struct {
	n        *nodeFlags
	e        cli.Env
	commands chan node.Command
	ctx      context.Context // ends with the node
	began    time.Time
	waits    waits
	over     bool         // its load
	ending   bool         // it has been told to finish
	end      *node.Report // how it stood in the end
	because  error        // why it was told to finish early
}

// alone runs the node to its end.
func (n *nodeFlags) alone(ctx context.Context, e cli.Env, o node.Options) error {
	running, stop := context.WithCancel(ctx)
	defer stop()
	a := &alone{n: n, e: e, commands: make(chan node.Command, 4), ctx: running, began: time.Now()}
	a.waits = waits{patience: n.patience, progress: a.began}
	a.commands <- node.Command{Do: node.Meet, Addresses: n.peerList()}
	go a.watch()
	if err := node.Run(ctx, o, a.commands, a.hear); err != nil {
		return err
	}
	if a.end != nil {
		printEnd(e.Stdout, a.end)
	}
	if ctx.Err() != nil {
		return cli.CutShort("interrupted after %v", time.Since(a.began).Round(time.Millisecond))
	}
	return a.because
}

// tell sends the node a command later. A handler of the node's events may call it.
func (a *alone) tell(do string, after time.Duration) { go a.send(do, after) }

// send sends the node a command after a time, and reports whether the node still runs.
func (a *alone) send(do string, after time.Duration) bool {
	select {
	case <-time.After(after):
	case <-a.ctx.Done():
		return false
	}
	select {
	case a.commands <- node.Command{Do: do}:
		return true
	case <-a.ctx.Done():
		return false
	}
}

// watch asks for the node's state at intervals.
func (a *alone) watch() {
	for a.send(node.Look, link.Silence) {
	}
}

// hear handles an event of the node.
func (a *alone) hear(event node.Event) {
	switch event.Event {
	case node.Met:
		how := fmt.Sprintf("all %d nodes have met", a.n.System.Nodes)
		if event.Again {
			how = "the others take it back"
		}
		a.printf("%s", how)
		a.waits.begun = true
		a.tell(node.Begin, 0)
	case node.Done:
		a.over = true
	case node.Result:
		a.end = event.Report
	case node.Seen:
		a.seen(event.Report)
	}
}

// seen decides from the node's state whether the node ends.
func (a *alone) seen(r *node.Report) {
	if a.ending {
		return
	}
	// A node that was restarted takes those that it has not met for crashed.
	open := slices.DeleteFunc(slices.Clone(r.Peers), func(p link.Peer) bool { return p.Done || p.Left || !p.Met })
	if a.over && len(open) == 0 {
		a.ending = true
		for _, p := range r.Peers {
			switch {
			case !p.Met:
				a.because = cli.CutShort("node %d was not there in the end", p.Node)
			case !p.Done:
				a.because = cli.CutShort("node %d left before its load was over", p.Node)
			}
		}
		a.tell(node.Finish, linger)
		return
	}
	lines, given := a.waits.look(r, a.over, time.Now())
	for _, line := range lines {
		a.printf("%s", line)
	}
	if given {
		a.ending = true
		a.because = cli.CutShort("gave up after %v (-patience)", a.n.patience)
		a.tell(node.Finish, 0)
	}
}

func (a *alone) printf(format string, args ...any) {
	fmt.Fprintf(a.e.Stderr, "dmebench node %d: %s\n", a.n.id, cli.Printable(fmt.Sprintf(format, args...)))
}
