package study

import (
	"fmt"
	"strings"

	"shmbench/distributed/sim"
)

// A Reading is one way to understand what the paper leaves open. The zero
// Reading is the study's own: the rate is each node's; a request comes from a
// thread chosen among those that rest; waiting runs from the request to the
// permission; delays vary; the messages of a pair arrive in order.
type Reading struct {
	Name    string
	Changes string // what is different, in words

	vary      func(o *sim.Options)
	untilExit bool // waits include the time inside
}

// Readings are the alternatives.
var Readings = []Reading{
	{
		Name: "system-rate", Changes: "λ is the whole system's rate, each node has λ/N",
		vary: func(o *sim.Options) { o.Load = sim.Poisson(o.Load.Rate() / float64(o.System.Nodes)) },
	},
	{
		Name: "any-thread", Changes: "a request comes from any of the node's threads, and is lost if that one waits or is in its critical section",
		vary: func(o *sim.Options) { o.Load = sim.PoissonAny(o.Load.Rate()) },
	},
	{
		Name: "until-exit", Changes: "waiting runs from the request to the end of the critical section",
		untilExit: true,
	},
	{
		Name: "fixed-delay", Changes: "every message takes the mean delay, M/2",
		vary: func(o *sim.Options) { o.Delay = sim.Fixed(o.Delay.Mean()) },
	},
	{
		Name: "overtaking", Changes: "the messages of a pair may overtake each other",
		vary: func(o *sim.Options) { o.Overtaking = true },
	},
}

// FindReading returns the reading of that name; "" is the study's own.
func FindReading(name string) (Reading, error) {
	names := make([]string, len(Readings))
	for i, r := range Readings {
		if r.Name == name {
			return r, nil
		}
		names[i] = r.Name
	}
	if name == "" {
		return Reading{}, nil
	}
	return Reading{}, fmt.Errorf("no reading %q; there are %s", name, strings.Join(names, ", "))
}
