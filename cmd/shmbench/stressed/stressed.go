// Package stressed is the child process that "shmbench stress" starts for each lock. It
// stress-tests the lock that it is asked for, and answers with the report.
package stressed

import (
	"context"

	"shmbench/catalog"
	"shmbench/internal/machine/affinity"
	"shmbench/internal/machine/topo"
	"shmbench/internal/run/isolate"
	"shmbench/shm"
	"shmbench/stress"
	"shmbench/stress/kills"
)

// Program is the import path of the program that does nothing but Serve. Built with
// changed copies of the locks, it stresses changed locks.
const Program = "shmbench/cmd/shmbench/stressed/program"

// Serve answers a stress.Trial or a kills.Trial and ends the program, if a parent asks one.
// If a parent stresses a lock between processes of the operating system, the program is one
// of these. Otherwise Serve does nothing.
func Serve(ctx context.Context) {
	kills.Serve(ctx, catalog.Get)
	stress.ServeProcesses(ctx, find)
	isolate.Child(ctx, stress.Service, func(ctx context.Context, t stress.Trial) (*stress.Report, error) {
		a, err := find(t.Lock, t.Topology)
		if err != nil {
			return nil, err
		}
		t.Options.Topology = t.Topology
		return stress.Test(ctx, a, t.Options)
	})
}

// find looks a lock up in the catalog. A topology, if it is not empty,
// says where the processes of a lock for several nodes are.
func find(name, topology string) (shm.Algorithm, error) {
	if topology != "" {
		where, err := topo.Places(topology, affinity.ByCore)
		if err != nil {
			return shm.Algorithm{}, err
		}
		for _, a := range catalog.On(where) {
			if a.Name == name {
				return a, nil
			}
		}
	}
	return catalog.Get(name)
}
