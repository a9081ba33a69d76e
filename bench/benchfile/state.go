package benchfile

import (
	"bytes"
	"slices"

	"golang.org/x/perf/benchfmt"

	"shmbench/internal/machine/topo"
	"shmbench/internal/results/gobench"
)

// state is what the results of a file share from one line of its header to the
// next: a file has one, or a few.
type state struct {
	config     []benchfmt.Config // as benchfmt has read it
	processors string            // GOMAXPROCS, as the names end with it
	provenance []topo.Pair
	base       *benchfmt.Result // with all of these
	suffixes   bool             // a name so far ended with GOMAXPROCS
}

// of returns a copy of a record with all that is known about it. Results of the
// same state share their configuration.
func (s *state) of(record *benchfmt.Result, provenance []topo.Pair, file string) *benchfmt.Result {
	name, processors := gobench.SplitName(record.Name)
	if s.base == nil || processors != s.processors || !sameConfig(s.config, record.Config) || !slices.Equal(s.provenance, provenance) {
		suffixes := s.suffixes || processors != ""
		*s = state{config: record.Clone().Config, processors: processors, provenance: provenance, base: record.Clone(), suffixes: suffixes}
		s.merge(file)
	}
	result := *s.base
	result.Name, result.Iters, result.Values = slices.Clone(name), record.Iters, tidied(record.Values)
	return &result
}

// merge adds to the configuration of the base what benchfmt does not read.
func (s *state) merge(file string) {
	for i, c := range s.base.Config {
		s.base.Config[i].File = !gobench.WasConfiguration(c.Key)
	}
	if s.processors != "" {
		setProcessors(s.base, s.processors)
	}
	for _, p := range s.provenance {
		s.base.SetConfig(p.Key, p.Value)
	}
	s.base.SetConfig(".file", file)
}

func sameConfig(a, b []benchfmt.Config) bool {
	return slices.EqualFunc(a, b, func(a, b benchfmt.Config) bool { return a.Key == b.Key && bytes.Equal(a.Value, b.Value) })
}

// setProcessors makes GOMAXPROCS a part of a result's configuration.
func setProcessors(r *benchfmt.Result, processors string) {
	r.SetConfig(gobench.Processors, processors)
	i, _ := r.ConfigIndex(gobench.Processors)
	r.Config[i].File = true
}

// alone gives GOMAXPROCS=1 to the results that do not say theirs. It is for files
// in which names end with GOMAXPROCS: "go test" leaves out the one.
func alone(results []*benchfmt.Result) {
	known := map[*benchfmt.Config]*benchfmt.Result{} // by the configuration that results share
	for _, r := range results {
		if r.GetConfig(gobench.Processors) != "" {
			continue
		}
		one := known[&r.Config[0]]
		if one == nil {
			one = r.Clone()
			setProcessors(one, "1")
			known[&r.Config[0]] = one
		}
		name, iters, values := r.Name, r.Iters, r.Values
		*r = *one
		r.Name, r.Iters, r.Values = name, iters, values
	}
}
