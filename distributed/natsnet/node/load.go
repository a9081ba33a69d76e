package node

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/sim"
)

// A Load says when threads make requests, in the terms of package sim.
type Load struct {
	text string
	rate float64 // of requests at each node, in 1/s; 0: the load is of another kind
}

// ParseLoad parses the value of -rate: a number of requests per second and node,
// max, or one.
func ParseLoad(text string) (Load, error) {
	if text == "max" || text == "one" {
		return Load{text: text}, nil
	}
	r, err := strconv.ParseFloat(text, 64)
	if err != nil || !(r >= 1e-6 && r <= 1e6) {
		return Load{}, fmt.Errorf("-rate %q: want requests a second from 1e-6 to 1e6, max or one", text)
	}
	return Load{text, r}, nil
}

func (l Load) String() string { return l.text }

// One reports whether the parent decides when each thread makes a request.
func (l Load) One() bool { return l.text == "one" }

// Sim returns the same load for the simulator.
func (l Load) Sim() sim.Load {
	switch l.text {
	case "max":
		return sim.Saturated()
	case "one":
		return sim.Single()
	}
	return sim.Poisson(l.rate)
}

// load starts the load of this node. The node reports Done at its end.
func (n *node) load() {
	if n.o.System.Server && n.o.ID == 0 || n.o.Load.One() {
		n.over()
		return
	}
	n.working.Go(func() {
		if n.o.Load.rate > 0 {
			n.try(n.poisson())
		} else {
			n.try(n.closed())
		}
		if n.ctx.Err() == nil {
			n.over()
		}
	})
}

// over notes that this node makes no more requests.
func (n *node) over() {
	if n.link != nil { // a lease has none
		n.link.Done()
	}
	n.tell(Event{Event: Done})
}

// closed makes every thread request again and again.
func (n *node) closed() error {
	ends := make(chan error, len(n.threads))
	for _, t := range n.threads {
		go func() {
			for !t.enough() {
				if err := t.once(t.section); err != nil {
					ends <- err
					return
				}
			}
			ends <- nil
		}()
	}
	var first error
	for range n.threads {
		if err := <-ends; first == nil {
			first = err
		}
	}
	return first
}

// poisson generates requests, each for one of the resting threads. While no thread
// rests, no request arrives.
func (n *node) poisson() error {
	rng := rand.New(rand.NewPCG(n.o.Seed, uint64(n.o.ID)+1))
	resting := make([]distributed.Thread, len(n.threads))
	for t := range resting {
		resting[t] = distributed.Thread(t)
	}
	type end struct {
		t   distributed.Thread
		err error
	}
	back := make(chan end)
	under, enough := 0, false
	var failed error
	arrival := time.NewTimer(0)
	defer arrival.Stop()
	next := func() {
		arrival.Reset(time.Duration(rng.ExpFloat64() / n.o.Load.rate * float64(time.Second)))
	}
	next()
	for under > 0 || !enough && failed == nil {
		select {
		case <-arrival.C:
			if enough || failed != nil || len(resting) == 0 {
				continue
			}
			k := rng.IntN(len(resting))
			t := n.threads[resting[k]]
			resting = append(resting[:k], resting[k+1:]...)
			under++
			go func() {
				err := t.once(t.section)
				select {
				case back <- end{t.id, err}:
				case <-n.ctx.Done():
				}
			}()
			if len(resting) > 0 {
				next()
			}
		case e := <-back:
			under--
			if e.err != nil && failed == nil {
				failed = e.err
			}
			enough = enough || n.threads[e.t].enough()
			if resting = append(resting, e.t); len(resting) == 1 {
				next()
			}
		case <-n.ctx.Done():
			return n.ctx.Err()
		}
	}
	return failed
}

// share is this node's share of the entries of the run.
func (n *node) share() int64 {
	nodes := int64(n.o.System.Nodes)
	return (n.o.Entries + nodes - 1) / nodes
}
