package bench

// The units of a sample's values. Those of a passage are of all processes
// together unless their text says otherwise.
const (
	nsPerOp       = "ns/op"
	rate          = "acq/s"
	leastPassages = "least-passages"
	reached       = "reached"
	meanLatency   = "mean-ns"
	p50           = "p50-ns"
	p90           = "p90-ns"
	p99           = "p99-ns"
	p999          = "p99.9-ns"
	maxLatency    = "max-ns"
	handoffP50    = "handoff-ns"
	handoffP99    = "handoff-p99-ns"
	jainRun       = "jain"
	jainShort     = "jain-short"
	bypass        = "bypass"
	longestRun    = "longest-run"
	reacquire     = "reacquire"
	cpuPerOp      = "cpu-ns/op"
	overlap       = "overlap"
	overheadNS    = "overhead-ns"
	xfersPerOp    = "xfers/op"
	otherLoad     = "other-load"
	stolen        = "stolen"
	slowestMHz    = "slowest-MHz"
	fastestMHz    = "fastest-MHz"
	atomicsPerOp  = "atomics/op"
	bytesPerOp    = "B/op"
	allocsPerOp   = "allocs/op"
	killCount     = "kills"
	restartP50    = "restart-ns"
	recoverP50    = "recover-ns"
	recoverMax    = "recover-max-ns"
)

// Unit is a unit of measurement: which direction is better, "lower",
// "higher" or neither, and what it measures.
type Unit struct {
	Name, Better, About string
}

// Units are all units, in the order in which a sample has its values.
var Units = []Unit{
	{nsPerOp, "lower", "wall time of a passage in the counted window"},
	{rate, "higher", "passages a second in the counted window"},
	{xfersPerOp, "lower", "ns/op as a multiple of the time to move a cache line between two processors"},
	{atomicsPerOp, "lower", "ns/op as a multiple of what the lock's own atomic stores and read-modify-writes cost by themselves (one process)"},
	{overheadNS, "lower", "ns/op of the null lock with one process and the same work"},
	{leastPassages, "higher", "fewest passages of a process in the counted window, where they are fewer than 20: the sample is not ranked"},
	{reached, "higher", "open loop: part of the time whose arrivals were served; below 0.95 the rate was not reached, and latency grows with the duration"},
	{meanLatency, "lower", "mean time from calling Lock, or in an open loop from when the passage was due, to its return, in the timing window; waits under way at its edges count with what they lasted in it"},
	{p50, "lower", "median of it"},
	{p90, "lower", "90th percentile of it"},
	{p99, "lower", "99th percentile of it"},
	{p999, "lower", "99.9th percentile of it"},
	{maxLatency, "lower", "longest of it"},
	{handoffP50, "lower", "synchronization delay: median time from the call of one process's Unlock to the return of the Lock of the next, which was waiting, after one passage in four, at random"},
	{handoffP99, "lower", "99th percentile of it"},
	{jainRun, "higher", "Jain's fairness index of the processes' passages over the counted window"},
	{jainShort, "higher", "the same over windows of ten passages a process, in the mean"},
	{bypass, "lower", "most passages of other processes between a process's call of Lock and its return in the timing window, or as far as its edges"},
	{longestRun, "lower", "most passages of one process after one another"},
	{reacquire, "lower", "median passages of all processes from one of a process to its next"},
	{killCount, "higher", "processes killed in the counted window"},
	{restartP50, "lower", "median time from a kill to the call of Recover by the next life of the process"},
	{recoverP50, "lower", "median time from that call to the critical section"},
	{recoverMax, "lower", "longest of it"},
	{cpuPerOp, "lower", "processor time of all threads for a passage"},
	{overlap, "higher", "part of the time between the first process's beginning and the last one's end in which all ran"},
	{"cycles/op", "lower", "processor cycles for a passage (hardware counter)"},
	{"instructions/op", "lower", "instructions for a passage (hardware counter)"},
	{"cache-misses/op", "lower", "cache misses for a passage (hardware counter)"},
	{otherLoad, "lower", "part of the processors' time in a round that other programs had (Quiet)"},
	{stolen, "lower", "part of it that the host of a virtual machine gave to others (Quiet)"},
	{slowestMHz, "higher", "frequency of the slowest processor at the end of a round (Quiet)"},
	{fastestMHz, "higher", "that of the fastest one (Quiet)"},
	{bytesPerOp, "lower", "bytes allocated for a passage"},
	{allocsPerOp, "lower", "allocations for a passage"},
}

// Directions yields the name of each unit and which direction is better.
func Directions(yield func(unit, better string) bool) {
	for _, u := range Units {
		if !yield(u.Name, u.Better) {
			return
		}
	}
}
