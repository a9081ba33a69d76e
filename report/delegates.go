package report

import (
	"slices"

	"shmbench/bench"
)

// byExecute explains how the locks of delegates are measured.
const byExecute = "run measures it by Execute. A process hands its critical section over as a function, which any process may run"

// delegates reports whether c's lock is made of a delegate.
func (c Spec) delegates() bool { return slices.Contains(c.Kinds, bench.KindDelegation) }

// delegates names the measured locks that are made of delegates, without their variants.
func (in *Input) delegates() (names []string) {
	for _, name := range in.Measured() {
		name = in.base(name)
		if !slices.Contains(names, name) && slices.ContainsFunc(in.Specs, func(c Spec) bool { return c.Name == name && c.delegates() }) {
			names = append(names, name)
		}
	}
	return names
}
