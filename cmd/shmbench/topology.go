package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"shmbench/catalog"
	"shmbench/check"
	"shmbench/internal/machine/affinity"
	"shmbench/internal/machine/topo"
	"shmbench/locks/numa"
	"shmbench/shm"
)

// topology is the value of -topology: where the processes are for the locks for several
// nodes. Empty, they are where the catalog has them.
type topology string

func (t *topology) declare(fs *flag.FlagSet) {
	fs.StringVar((*string)(t), "topology", "", "where the processes of family numa run: machine for this machine, or `levels` from the outside in, such as sockets=2,cores=4,threads=2 (default: alternately on two nodes)")
}

// nodes says where processes are that fill the processors in an order.
func (t topology) nodes(order affinity.Order) (numa.Nodes, error) {
	path, err := topo.Places(string(t), order)
	if err != nil {
		return nil, fmt.Errorf("-topology %s: %w", t, err)
	}
	return path, nil
}

// applies refuses a topology if none of the locks is for several nodes.
func (t topology) applies(algorithms []shm.Algorithm) error {
	if t == "" || slices.ContainsFunc(algorithms, func(a shm.Algorithm) bool { return strings.HasPrefix(a.Name, "numa/") }) {
		return nil
	}
	return fmt.Errorf("-topology %s: it is for the locks of family numa, and none of them is chosen", t)
}

// placed returns the algorithms as they are with processes that fill the processors in
// an order.
func (t topology) placed(algorithms []shm.Algorithm, order affinity.Order) ([]shm.Algorithm, error) {
	if t == "" {
		return algorithms, nil
	}
	where, err := t.nodes(order)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(catalog.On(where), func(a shm.Algorithm) bool {
		return !slices.ContainsFunc(algorithms, func(asked shm.Algorithm) bool { return asked.Name == a.Name })
	}), nil
}

// paths lists where as many processes are as can be checked, one to a core first; nil
// is where the catalog has them.
func (t topology) paths() (paths [][]int, err error) {
	if t == "" {
		return nil, nil
	}
	where, err := t.nodes(affinity.ByCore)
	if err != nil {
		return nil, err
	}
	for i := range check.MaxProcs {
		paths = append(paths, where(i))
	}
	return paths, nil
}

// severalNodes reports whether the processors, whose places path tells, are on several nodes.
func severalNodes(path func(i int) []int, processors int) bool {
	for i := range processors {
		if !slices.Equal(path(i), path(0)) {
			return true
		}
	}
	return false
}
