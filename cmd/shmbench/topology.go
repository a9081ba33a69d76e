package main

import (
	"fmt"
	"slices"

	"shmbench/bench"
	"shmbench/catalog"
	"shmbench/internal/affinity"
	"shmbench/internal/topo"
	"shmbench/numa"
	"shmbench/shm"
)

// nodes says where processes are by -topology, if they are pinned as told.
func nodes(topology string, pin bench.Pinning) (numa.Nodes, error) {
	order := affinity.ByCore
	if pin == bench.PinThreads {
		order = affinity.ByThread
	}
	if topology == "machine" {
		return topo.Machine(order), nil
	}
	levels, err := topo.ParseLevels(topology)
	if err != nil {
		return nil, fmt.Errorf("-topology %s: %w", topology, err)
	}
	return func(i int) []int { return levels.Path(i, order) }, nil
}

// placed returns the algorithms as they are for -topology.
func (f *runFlags) placed(algorithms []shm.Algorithm) ([]shm.Algorithm, error) {
	if f.topology == "" {
		return algorithms, nil
	}
	where, err := nodes(f.topology, bench.Pinning(f.pin))
	if err != nil {
		return nil, err
	}
	all := catalog.On(where)
	return slices.DeleteFunc(all, func(a shm.Algorithm) bool {
		return !slices.ContainsFunc(algorithms, func(asked shm.Algorithm) bool { return asked.Name == a.Name })
	}), nil
}
