package predict

type word struct {
	line  int32
	value uint64
}

type set []uint64

func (s set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }
func (s set) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s set) drop(i int)     { s[i>>6] &^= 1 << (i & 63) }

// request is a core that waits for a line.
type request struct {
	core  int32
	proc  int32
	word  int32
	write bool
	from  Time // when it is at the line
}

// line is a line of the caches. It has an owner, which alone has a copy and
// may write, or sharers; while it moves to its owner it is in flight.
type line struct {
	owner    int32 // core, or -1
	last     int32 // core that held it last for writing, or -1
	inFlight bool
	running  bool // the owner makes an operation on it
	drain    bool // which is a posted store
	chosen   bool // the first of the queue is served next, when no read is under way
	runner   int32
	quota    int32 // operations that the owner may make before the next core is served
	fetches  int32 // reads under way
	version  uint32
	free     Time      // from when the next request may be served
	entered  Time      // when it came into the innermost group of its last owner
	serveAt  Time      // of the event that serves, or -1
	queue    []request // sorted by from
	queued   set       // the cores that are in it
	sharers  set
	fetching set
	groups   []group
}

// group is what a group of cores that serves its own reads knows of a line.
type group struct {
	free    Time
	fetched Time // when the read that is under way arrives
	valid   bool // a core of it has a copy, or will have
}

type core struct {
	procs   []*proc
	working int
}

type state uint8

const (
	ready   state = iota // an event will continue it
	waiting              // for the line of its access
	fenced               // for its posted stores
	full                 // for room in its store buffer
	acting               // it makes its operation
	asleep               // it polls what has not changed
	working
	ended
)

type proc struct {
	id       int32
	core     int32
	state    state
	draining bool // the first posted store has asked for its line
	code     Process
	acc      Access
	buffer   []Access

	loop    loop
	left    Time // work to do, if alone
	since   Time
	rate    Time // in thousandths
	workGen int32
}

// bufferSize is how many posted stores a core keeps: 56 of Intel's Skylake,
// from its optimization manual. No lock fills it.
const bufferSize = 56
