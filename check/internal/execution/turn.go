package execution

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
)

// Actor returns the number of the actor whose turn it is. This is the process, or its store
// buffer if does is "flush". If the process decides, it is the process with the outcome that
// does names.
func (s *Simulation) Actor(pid int, does string) (int, error) {
	if does == Flush {
		if s.Buffers == nil {
			return 0, errors.New("no store of this lock goes through a store buffer; with -memory tso all do")
		}
		return s.Actors().Number(explore.Actor{Kind: explore.Buffer, Pid: pid}), nil
	}
	a := s.Next(pid).Access
	if a == nil || !a.Decides() {
		if does != "" {
			return 0, fmt.Errorf("the process has nothing to decide: write %d", pid)
		}
		return pid, nil
	}
	var choices []string
	for by := (explore.Actor{Pid: pid}); !s.Stands(s.Actors().Number(by)); by.Outcome++ {
		choice := strconv.FormatBool(by.Outcome != 0)
		if a.Op != interp.Poll {
			choice = s.Learner.M.Called(s.Learner.Regs[s.Learner.Procs[pid].Reg[s.States[pid]]].Values[by.Outcome]).Name()
		}
		if choice == does {
			return s.Actors().Number(by), nil
		}
		choices = append(choices, fmt.Sprintf("%d:%s", pid, choice))
	}
	return 0, fmt.Errorf("the process decides: write %s", strings.Join(choices, " or "))
}
