package abort

import "shmbench/shm"

// MCSTry returns the specification of the MCS lock with timeout for a layout of its nodes.
func MCSTry(layout shm.Layout) shm.Algorithm {
	return shm.Algorithm{
		Name:   "abort/mcstry",
		Title:  "MCS lock with timeout, MCS-try",
		Source: timeout,
		Class:  shm.Swap | shm.CompareAndSwap,
		Claims: shm.Claims{
			DeadlockFree:   true,
			StarvationFree: true,
			Bypass:         shm.Formula{Text: "n-2 for n>=2", At: func(n int) int { return max(n-2, 0) }},
			FCFS:           true,
			Doorway:        "2",
			LocalSpin:      shm.LocalSpin{CC: true, DSM: true},
			Mixed:          shm.Mixed{Writers: shm.Patient{StarvationFree: true, Bypass: shm.NMinus1, Doorway: "2"}},
		},
		Space: shm.Space{
			{Name: "tail", Count: shm.Const(1), Values: shm.NPlus1},
			{Name: "prev", Count: shm.N, Values: mcsTryValues("3n+1 for n>2, 6 for n=2", 3), Own: true},
			{Name: "next", Count: shm.N, Values: mcsTryValues("2n+4 for n>2, 6 for n=2", 2), Own: true},
			{Name: "cleared", Count: shm.N, Values: shm.Formula{Text: "2 for n>2", At: func(n int) int { return min(n-1, 2) }}, Own: true},
		},
	}.Built(layout, shm.Sequential, buildMCSTry)
}

// mcsTryValues is the number of values of a pointer: two or three that name each other
// process, and some that name no process. Two processes are always neighbors.
func mcsTryValues(text string, each int) shm.Formula {
	return shm.Formula{Text: text, At: func(n int) int {
		if n == 2 {
			return 6
		}
		return each*(n-1) + 2*(5-each)
	}}
}
