package shm

// Recovery is what a recoverable lock claims where processes crash any number of times, each
// at any point. Mutual exclusion, deadlock freedom, progress of the exit section, and
// re-entry are not listed, because every recoverable lock claims them.
type Recovery struct {
	// SystemWide: the claims are for crashes of all processes at once only. Otherwise they
	// are for crashes of single processes, and so for both kinds.
	SystemWide bool `json:"system_wide,omitempty"`
	// StarvationFree: with finitely many crashes in all, each process that tries enters.
	// StronglyStarvationFree: each process enters also while others crash again and again,
	// if each crashes finitely often between two of its complete passages.
	StarvationFree         bool `json:"starvation_free"`
	StronglyStarvationFree bool `json:"strongly_starvation_free"`
	// FCFS: a process that has ended its doorway enters before every process that begins its
	// super-passage later, unless the first one crashes while it waits. A super-passage ends with a
	// passage without a crash. StronglyFCFS: a process keeps its place also if it crashes.
	FCFS         bool `json:"fcfs,omitempty"`
	StronglyFCFS bool `json:"strongly_fcfs,omitempty"`
	// Reentry, Recover and Exit are the most own steps of a process, whatever the others do:
	// from its crash in the critical section to its return, in the method Recover, and in
	// the exit section. Unbounded means that the process can wait for others there.
	Reentry Formula `json:"reentry_steps"`
	Recover Formula `json:"recover_steps"`
	Exit    Formula `json:"exit_steps"`
	// References are the most remote memory references of a passage while processes crash. A
	// crash ends the passage of its process and empties its cache.
	References References `json:"references,omitzero"`
}
