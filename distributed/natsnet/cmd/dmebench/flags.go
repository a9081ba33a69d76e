package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/mutants"
	"shmbench/distributed/natsnet"
	"shmbench/distributed/natsnet/bus"
	"shmbench/distributed/natsnet/harness"
	"shmbench/distributed/natsnet/kv"
	"shmbench/distributed/natsnet/node"
	"shmbench/distributed/natsnet/wire"
	"shmbench/internal/cli"
)

// system is the part that both verbs share: an algorithm, its nodes and their
// load.
type system struct {
	node.Setup
	alg, rate, storage string
	nats               bus.Server
}

func (s *system) flags(fs *flag.FlagSet) {
	fs.StringVar(&s.alg, "alg", "raymond", "the algorithm, by name: \"dmesim list\" lists them, broken ones included")
	fs.IntVar(&s.System.Threads, "threads", 1, "threads a node")
	cli.Between(fs, "threads", 1, distributed.MaxThreads, "the number of threads")
	fs.BoolVar(&s.System.Server, "server", false, "nothing is asked for at node 0, of an algorithm that has a server there")
	fs.StringVar(&s.rate, "rate", "max", "requests a second and node; max: every thread always asks; one: one request at a time")
	fs.DurationVar(&s.Section, "cs", time.Millisecond, "time in the critical section")
	cli.AtLeast(fs, "cs", time.Duration(0), "the time in the critical section")
	fs.DurationVar(&s.Tick, "tick", 500*time.Millisecond, "a timer's tick, the delay that the algorithm supposes")
	cli.AtLeast(fs, "tick", time.Millisecond, "a tick")
	fs.DurationVar(&s.Lease, "kv-lease", 2*time.Second, "the lease of "+node.KVLock.Name+", a lock on JetStream's key-value store")
	cli.AtLeast(fs, "kv-lease", natsnet.ShortestLease, "the lease")
	fs.StringVar(&s.storage, "storage", "file", "how the NATS server keeps what is in key-value stores: file, or memory, which a restart of the server clears")
	cli.OneOf(fs, "storage", "it", "file", "memory")
	fs.IntVar(&s.Store.Replicas, "replicas", 1, "how many servers of a NATS cluster keep it")
	cli.Between(fs, "replicas", 1, kv.MaxReplicas, "the number of replicas")
	fs.IntVar(&s.System.Lease, "lease", 0, "ticks that a permission lasts, of the algorithms that take permissions back; 0: the usual number of the algorithm")
	cli.Between(fs, "lease", 0, distributed.MaxLease, "the lease")
	fs.Uint64Var(&s.Seed, "seed", 1, "seed of all randomness")
	fs.BoolVar(&s.Fenced, "fenced", true, "the resource that the threads write to refuses old tokens")
	fs.BoolVar(&s.Double, "duplicate", false, "a fault: every message arrives twice")
	serverFlags(fs, &s.nats)
}

// nodesFlag is the number of nodes.
func (s *system) nodesFlag(fs *flag.FlagSet, name string, usual int) {
	fs.IntVar(&s.System.Nodes, name, usual, "how many nodes there are")
	cli.Between(fs, name, 2, wire.MaxNodes, "the number of nodes")
}

// serverFlags defines the flags that say how to reach a NATS server.
func serverFlags(fs *flag.FlagSet, s *bus.Server) {
	fs.StringVar(&s.URL, "nats", "", "`URLs` of a NATS server or cluster, separated by commas; default $"+harness.EnvNATS)
	fs.StringVar(&s.Credentials, "creds", "", "`file` with the credentials for the NATS server")
	fs.StringVar(&s.CA, "tls-ca", "", "`file` with the certificate authorities of the NATS server's certificate")
	fs.StringVar(&s.Cert, "tls-cert", "", "`file` with this client's certificate")
	fs.StringVar(&s.Key, "tls-key", "", "`file` with its key")
}

// natsServer returns the NATS server of -nats or of the environment, or nil.
func natsServer(s *bus.Server) *bus.Server {
	if s.URL == "" {
		s.URL = os.Getenv(harness.EnvNATS)
	}
	if s.URL == "" {
		return nil
	}
	return s
}

// parse fills in what the flag package does not.
func (s *system) parse() (err error) {
	if s.Load, err = node.ParseLoad(s.rate); err != nil {
		return err
	}
	if s.Algorithm, err = algorithms().Get(s.alg); err != nil {
		return fmt.Errorf("-alg %w", err)
	}
	switch a := s.Algorithm; {
	case s.System.Lease != 0 && !a.Lease:
		return fmt.Errorf("-lease %d: %s has permissions without a time limit", s.System.Lease, a.Name)
	case s.System.Server && !a.Server:
		return fmt.Errorf("%s has no server: every node asks", a.Name)
	case (s.nats.Cert == "") != (s.nats.Key == ""):
		return fmt.Errorf("-tls-cert and -tls-key go together")
	}
	s.System.Server = s.System.Server || s.Algorithm.Apart
	s.Store.Memory = s.storage == "memory"
	return s.System.Check()
}

// algorithms are those that -alg chooses from, broken ones included.
func algorithms() cli.Named[*distributed.Algorithm] {
	l := named(append([]*distributed.Algorithm{&node.KVLock}, catalog.All...))
	for _, m := range mutants.All {
		if m.Algorithm != nil {
			l.All = append(l.All, m.Algorithm)
		}
	}
	return l
}

func named(all []*distributed.Algorithm) cli.Named[*distributed.Algorithm] {
	return cli.Named[*distributed.Algorithm]{
		Kind: "algorithm", All: all, Name: func(a *distributed.Algorithm) string { return a.Name }, List: `"dmesim list" lists them`,
	}
}

// overFlag is -over of the verbs that run all nodes.
func overFlag(fs *flag.FlagSet, over *string) {
	fs.StringVar(over, "over", "nats", "what the nodes talk over: nats or tcp")
	cli.OneOf(fs, "over", "it", "nats", "tcp")
}
