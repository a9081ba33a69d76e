package check

import (
	"context"
	"fmt"
	"slices"

	"shmbench/check/internal/analyse"
	"shmbench/check/internal/explored"
	"shmbench/shm"
)

// Costs are worst cases that RMR does not have: by contention, of the exit section, of an abandoned
// attempt, and on average. A check finds them if there are at most costStates states, with those of
// the caches, or cacheStates with Options.Witness.
type Costs struct {
	// Contention has the remote memory references of a passage during which at most k processes are
	// outside their remainder sections at any time: for k = 1, 2, … n.
	Contention []ModelCosts `json:"contention,omitempty"`
	// Exit is the cost of an exit section, and its Steps are the accesses of the exit section.
	Exit *StepCosts `json:"exit,omitempty"`
	// Aborted is the cost of an attempt by LockUntil after giveUp has returned true.
	Aborted *StepCosts `json:"aborted,omitempty"`
	// Amortized has the worst means over infinite executions: the remote memory references of all
	// processes for each passage that ends, as a fraction such as "7/2", or "unbounded". It is nil if
	// passages are limited.
	Amortized *Means `json:"amortized,omitempty"`
}

// ModelCosts are numbers of remote memory references, by model. -1 means that there is no bound,
// and nil that the number is unknown.
type ModelCosts struct {
	WriteThrough *int `json:"cc_write_through"`
	WriteBack    *int `json:"cc_write_back"`
	DSM          *int `json:"dsm"`
}

// StepCosts has a number of accesses to shared memory, and how many of them are remote.
type StepCosts struct {
	Steps *int `json:"steps"`
	ModelCosts
}

// Means are mean numbers of remote memory references, by model. An empty string means unknown.
type Means struct {
	WriteThrough string `json:"cc_write_through,omitempty"`
	WriteBack    string `json:"cc_write_back,omitempty"`
	DSM          string `json:"dsm,omitempty"`
}

// In returns the mean in a model.
func (m *Means) In(model shm.RMRModel) string {
	return inModel(model, m.WriteThrough, m.WriteBack, m.DSM)
}

// costStates is the largest number of states in which a check finds Costs, unless it is asked for a
// witness.
const costStates = 1 << 14

// In returns the cost in a model.
func (c ModelCosts) In(m shm.RMRModel) *int {
	return inModel(m, c.WriteThrough, c.WriteBack, c.DSM)
}

// inModel returns the one of three values that is of a model.
func inModel[T any](m shm.RMRModel, through, back, distributed T) T {
	switch m {
	case shm.WriteThrough:
		return through
	case shm.WriteBack:
		return back
	}
	return distributed
}

// costs finds the costs of passages by Lock and Unlock, or of attempts in all modes.
func costs(ctx context.Context, x *explored.Lock, use *registerUse, most int) *Costs {
	if x.Graph.States > most {
		return nil
	}
	c := newCounter(ctx, x, use, most)
	if x.Source.Mixed {
		if !slices.Contains(x.Modes(), shm.Until) {
			return nil
		}
		return &Costs{Aborted: c.steps((*analyse.Space).Aborted)}
	}
	all := &Costs{Exit: c.steps((*analyse.Space).Exit)}
	if x.Learned.Passages == 0 {
		all.Amortized = c.means()
	}
	for k := range x.N {
		all.Contention = append(all.Contention, c.models(func(s *analyse.Space, pid int, remote func(uint32, int) bool) analyse.Measure {
			return s.Remote(pid, k+1, remote)
		}))
	}
	return all
}

// measured is a method of a space that returns a measure of some steps of a process.
type measured = func(s *analyse.Space, pid int, such func(uint32, int) bool) analyse.Measure

func (c *counter) models(measure measured) ModelCosts {
	return ModelCosts{c.cost(shm.WriteThrough, measure), c.cost(shm.WriteBack, measure), c.cost(shm.Distributed, measure)}
}

func (c *counter) steps(measure measured) *StepCosts {
	steps := c.cost(shm.Distributed, func(s *analyse.Space, pid int, _ func(uint32, int) bool) analyse.Measure {
		return measure(s, pid, c.accesses)
	})
	return &StepCosts{steps, c.models(measure)}
}

// accesses reports whether a step of a process from a state is an access.
func (c *counter) accesses(id uint32, pid int) bool {
	return c.x.Sys.Local(c.x.Space.G.State(id), pid).Kind != 0
}

func (c *counter) means() *Means {
	return &Means{c.mean(shm.WriteThrough), c.mean(shm.WriteBack), c.mean(shm.Distributed)}
}

func (c *counter) mean(m shm.RMRModel) string {
	s, remote, ok := c.in(m, everyone)
	if !ok {
		return ""
	}
	num, den, _ := s.Amortized(remote)
	return fraction(num, den)
}

// fraction returns a mean in words.
func fraction(num, den int) string {
	switch den {
	case 0:
		return shm.Formula{}.String()
	case 1:
		return fmt.Sprint(num)
	}
	return fmt.Sprintf("%d/%d", num, den)
}
