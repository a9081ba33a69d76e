package play

import (
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/shm"
)

// Verdict is what the checker's analyses find of a lock on one memory, from its initial state.
// The page must find the same.
type Verdict struct {
	Together bool `json:"together"` // two processes can be in their critical sections
	Races    bool `json:"races"`
	Panics   bool `json:"panics"`
	Stuck    bool `json:"stuck"` // a process tries to enter, and no process ever does
	// Starves and Exits are the processes that can stay in their entry and exit sections.
	Starves []int `json:"starves"`
	Exits   []int `json:"exits"`
	// Passed and PastDoorway have, by process, how many critical sections of others can come
	// first; -1 if there is no bound. PastDoorway is nil if no doorway is known.
	Passed      []int `json:"passed"`
	PastDoorway []int `json:"past_doorway"`
	States      int   `json:"states"`
}

// Verdict decides a machine of the document. It returns nil if not every state was visited.
func (l *Lock) Verdict(machine int) *Verdict {
	x, pastDoorway := l.explored[machine].lock, l.explored[machine].pastDoorway
	if x.Space == nil {
		return nil
	}
	bad := func(b explore.Bad) bool { _, is := x.Graph.Bad[b]; return is }
	v := &Verdict{Together: bad(explore.Exclusion), Races: bad(explore.Race), Panics: bad(explore.Panic), Stuck: x.Space.Deadlock() != nil,
		Starves: []int{}, Exits: []int{}, States: x.Graph.States}
	for pid, b := range x.Space.Bypasses(pastDoorway, shm.Exclusive) {
		v.Passed = append(v.Passed, b.FromStart)
		if pastDoorway != nil {
			v.PastDoorway = append(v.PastDoorway, b.PastDoorway)
		}
		if x.Space.Stays(pid, interp.Entry) != nil {
			v.Starves = append(v.Starves, pid)
		}
		if x.Space.Stays(pid, interp.Exit) != nil {
			v.Exits = append(v.Exits, pid)
		}
	}
	return v
}
