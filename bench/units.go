package bench

// The units of a sample's values. Those of a passage are of all processes
// together unless their text says otherwise.
const (
	nsPerOp      = "ns/op"
	rate         = "acq/s"
	p50          = "p50-ns"
	p90          = "p90-ns"
	p99          = "p99-ns"
	p999         = "p99.9-ns"
	maxLatency   = "max-ns"
	handoffP50   = "handoff-ns"
	handoffP99   = "handoff-p99-ns"
	jainRun      = "jain"
	jainShort    = "jain-short"
	bypass       = "bypass"
	longestRun   = "longest-run"
	reacquire    = "reacquire"
	cpuPerOp     = "cpu-ns/op"
	overlap      = "overlap"
	overheadNS   = "overhead-ns"
	xfersPerOp   = "xfers/op"
	atomicsPerOp = "atomics/op"
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
	{p50, "lower", "median time from calling Lock, or in an open loop from when the passage was due, to its return"},
	{p90, "lower", "90th percentile of it"},
	{p99, "lower", "99th percentile of it"},
	{p999, "lower", "99.9th percentile of it"},
	{maxLatency, "lower", "longest of it"},
	{handoffP50, "lower", "synchronization delay: median time from the call of one process's Unlock to the return of the Lock of the next, which was waiting"},
	{handoffP99, "lower", "99th percentile of it"},
	{jainRun, "higher", "Jain's fairness index of the processes' passages over the counted window"},
	{jainShort, "higher", "the same over windows of ten passages a process, in the mean"},
	{bypass, "lower", "most passages of other processes between a process's call of Lock and its return, as far as seen"},
	{longestRun, "lower", "most passages of one process after one another"},
	{reacquire, "lower", "median passages of all processes from one of a process to its next"},
	{cpuPerOp, "lower", "processor time of all threads for a passage"},
	{overlap, "higher", "part of the time between the first process's beginning and the last one's end in which all ran"},
	{"cycles/op", "lower", "processor cycles for a passage (hardware counter)"},
	{"instructions/op", "lower", "instructions for a passage (hardware counter)"},
	{"cache-misses/op", "lower", "cache misses for a passage (hardware counter)"},
	{"B/op", "lower", "bytes allocated for a passage"},
	{"allocs/op", "lower", "allocations for a passage"},
}
