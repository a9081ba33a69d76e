package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"shmbench/distributed/natsnet/link"
	"shmbench/distributed/natsnet/node"
	"shmbench/internal/cli"
)

// linger is how long a node whose load is over, as that of all others is, still
// answers: they may not have heard of it.
const linger = 4 * link.Silence

// alone runs a node without a parent: it begins when all have met, and ends when
// the load of all is over.
func (n *nodeFlags) alone(ctx context.Context, e cli.Env, o node.Options) error {
	commands := make(chan node.Command, 4)
	over, asked := false, time.Now()
	var end *node.Report
	ticks, stop := context.WithCancel(ctx)
	defer stop()
	commands <- node.Command{Do: node.Meet, Addresses: n.peerList()}
	go func() { // looks at how it stands
		for {
			select {
			case <-ticks.Done():
				return
			case <-time.After(link.Silence):
			}
			select {
			case <-ticks.Done():
				return
			case commands <- node.Command{Do: node.Look}:
			}
		}
	}()
	var ending bool
	err := node.Run(ctx, o, commands, func(event node.Event) {
		switch event.Event {
		case node.Met:
			fmt.Fprintf(e.Stderr, "dmebench node %d: all %d nodes have met\n", n.id, n.config.Nodes)
			asked = time.Now()
			go func() { commands <- node.Command{Do: node.Begin} }()
		case node.Done:
			over = true
		case node.Result:
			end = event.Report
		case node.Seen:
			r := event.Report
			if over && !ending && !slices.ContainsFunc(r.Peers, func(p link.Peer) bool { return !p.Done }) {
				ending = true
				go func() {
					select {
					case <-time.After(linger):
						commands <- node.Command{Do: node.Finish}
					case <-ticks.Done():
					}
				}()
			}
			n.grumble(e, r)
		}
	})
	if err != nil {
		return err
	}
	if end == nil {
		return errors.Join(ctx.Err(), cli.CutShort("interrupted after %v", time.Since(asked).Round(time.Millisecond)))
	}
	var sent int64
	for _, k := range end.Kinds {
		sent += k
	}
	fmt.Fprintf(e.Stdout, "node %d: %d entries, %d messages sent, %d sent again\n", n.id, end.Entries, sent, end.Counts.Resent)
	return nil
}

// patience is after how long somebody who waits is told of.
const patience = 10 * time.Second

// grumble says who has waited for long, and who has not been heard meanwhile.
func (n *nodeFlags) grumble(e cli.Env, r *node.Report) {
	for _, w := range r.Waiting {
		if w.For < patience {
			continue
		}
		fmt.Fprintf(e.Stderr, "dmebench node %d: thread %d waits for %v; %s\n", n.id, w.Thread, w.For.Round(time.Second), r.State)
		for _, p := range r.Peers {
			if p.Silent > patience/2 {
				fmt.Fprintf(e.Stderr, "dmebench node %d: node %d has been silent for %v, and has not acknowledged %d messages\n", n.id, p.Node, p.Silent.Round(time.Second), p.Unacked)
			}
		}
	}
}
