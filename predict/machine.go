package predict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"shmbench/internal/machine/topo"
)

// Machine is a modeled multicore machine, as its file describes it. Times are in nanoseconds.
// docs/predicting-model.md gives the source of each parameter.
type Machine struct {
	Name   string `json:"name"`
	Source string `json:"source,omitempty"`

	// Topology has the levels from the outermost to the innermost: sockets, dies, complexes,
	// cores and threads, such as "sockets=2,cores=24,threads=2". Hardware threads are numbered
	// from 0 in that order: first all threads of the first socket.
	Topology string `json:"topology"`
	// Order assigns processes to hardware threads: smt-first fills the threads of a core before
	// the next core; cores-first takes one thread of every core before the second threads;
	// "0,2,1,3" lists all threads.
	Order string `json:"order"`

	// Request is the time of a request on its way to the place where the line is served. 0 means
	// the time of the line on its way back.
	Request float64 `json:"request_ns,omitempty"`
	// Transfer is the time from the moment that the last holder releases a line until the
	// line has reached another core. It is given by the outermost level in which the two
	// cores differ. Memory is the time for a line that is in no cache.
	Transfer map[string]float64 `json:"transfer_ns"`
	Memory   float64            `json:"memory_ns"`
	// ReadOccupancy is the time by which a read of a line delays the next request while
	// others also read it. ReadsLocal is the level whose groups serve such reads among
	// themselves, one after another. A read that leaves the group occupies the line for
	// FarReadOccupancy only. If ReadsLocal is empty, one place serves all reads.
	ReadOccupancy    float64 `json:"read_occupancy_ns"`
	ReadsLocal       string  `json:"reads_local,omitempty"`
	FarReadOccupancy float64 `json:"far_read_occupancy_ns,omitempty"`
	// InvalidateFactor is how many transfers a write takes if it takes copies away from another
	// group of ReadsLocal. The directory does not know which groups have a copy, so the write
	// waits for the answers of all. 0 means 1.
	InvalidateFactor float64 `json:"invalidate_factor,omitempty"`
	// RMW is the time of a read-modify-write, or of a store with its fence, on a line that the
	// core may write; Hit that of a load of a line that the core has; Store that of a posted
	// store that drains into such a line; Gap that of the code between two accesses.
	RMW   float64 `json:"rmw_ns"`
	Hit   float64 `json:"hit_ns"`
	Store float64 `json:"store_ns"`
	Gap   float64 `json:"gap_ns"`
	// Pause is the time of the pause instruction, and SpinExit the cost of leaving a loop in
	// which a process has waited.
	Pause    float64 `json:"pause_ns"`
	SpinExit float64 `json:"spin_exit_ns"`
	// Policy chooses which of several requesters of a line is served next: in-order, nearest
	// (with OldestChance the oldest, otherwise any of the nearest), by-group (those that waited
	// in the innermost group when the line came into it, then the oldest elsewhere) or random.
	Policy       string  `json:"policy"`
	OldestChance float64 `json:"oldest_chance,omitempty"`
	// ReadsFirst: reads of a line are served before waiting writes. ReadTakes: the first read of
	// a written line takes the line from its writer.
	ReadsFirst bool `json:"reads_first"`
	ReadTakes  bool `json:"read_takes"`
	// OwnStoreChance is the probability that a store drains into the line that its core is about
	// to lose. MergedStoreChance is the probability that a store drains when the line has come
	// for a sibling's request.
	OwnStoreChance    float64 `json:"own_store_chance"`
	MergedStoreChance float64 `json:"merged_store_chance"`
	// SiblingWork is the factor by which work slows down while another thread of the core works,
	// and SiblingPoll the factor while another thread polls.
	SiblingWork float64 `json:"sibling_work"`
	SiblingPoll float64 `json:"sibling_poll"`

	// Taken lists the parameters that were measured directly. Fitted lists those that were
	// fitted, and Fit says to which points and with which error. Assumed lists those that were
	// never measured on this machine.
	Taken   []string `json:"measured,omitempty"`
	Fitted  []string `json:"fitted,omitempty"`
	Fit     string   `json:"fit,omitempty"`
	Assumed []string `json:"assumed,omitempty"`
}

// levelNames are the levels of a topology, from the outermost to the innermost.
var levelNames = []string{"sockets", "dies", "complexes", "cores", "threads"}

// MaxProcessors is the number of hardware threads of the largest machine that can be modeled.
const MaxProcessors = 1024

// The orders of processes with a name.
const (
	SMTFirst   = "smt-first"
	CoresFirst = "cores-first"
)

// The policies of service.
const (
	InOrder = "in-order"
	Nearest = "nearest"
	Random  = "random"
	ByGroup = "by-group"
)

// place is where a hardware thread is.
type place struct {
	path []int // its group at each level, from the outside in
	core int
}

// layout is a topology worked out.
type layout struct {
	levels  topo.Levels
	places  []place // by hardware thread
	cores   int
	threads int // on a core
	order   []int
}

func (m *Machine) layout() (layout, error) {
	levels, err := topo.ParseLevels(m.Topology)
	if err != nil {
		return layout{}, fmt.Errorf("topology %q: %w", m.Topology, err)
	}
	at := -1
	total := 1
	for _, l := range levels {
		k := slices.Index(levelNames, l.Name)
		if k < 0 {
			return layout{}, fmt.Errorf("topology %q: there is no level %q; there are %s, from the outside in", m.Topology, l.Name, strings.Join(levelNames, ", "))
		}
		if k <= at {
			return layout{}, fmt.Errorf("topology %q: %s come outside %s", m.Topology, l.Name, levelNames[at])
		}
		at = k
		total *= l.Count
	}
	if !slices.ContainsFunc(levels, func(l topo.Level) bool { return l.Name == "cores" }) {
		return layout{}, fmt.Errorf("topology %q names no cores", m.Topology)
	}
	if total > MaxProcessors {
		return layout{}, fmt.Errorf("topology %q: %d hardware threads; a model has at most %d", m.Topology, total, MaxProcessors)
	}
	l := layout{levels: levels, threads: 1}
	if levels[len(levels)-1].Name == "threads" {
		l.threads = levels[len(levels)-1].Count
	}
	l.cores = total / l.threads
	for t := range total {
		path := make([]int, len(levels))
		for i, rest := len(levels)-1, t; i >= 0; i-- {
			path[i] = rest % levels[i].Count
			rest /= levels[i].Count
		}
		l.places = append(l.places, place{path, t / l.threads})
	}
	l.order, err = l.parseOrder(m.Order)
	return l, err
}

func (l *layout) parseOrder(s string) ([]int, error) {
	n := len(l.places)
	order := make([]int, 0, n)
	switch s {
	case "", SMTFirst:
		for i := range n {
			order = append(order, i)
		}
		return order, nil
	case CoresFirst:
		for t := range l.threads {
			for c := range l.cores {
				order = append(order, c*l.threads+t)
			}
		}
		return order, nil
	}
	seen := make([]bool, n)
	for word := range strings.SplitSeq(s, ",") {
		i, err := strconv.Atoi(word)
		if err != nil {
			return nil, fmt.Errorf("order %q: write %s, %s, or the numbers of all hardware threads with commas between them", s, SMTFirst, CoresFirst)
		}
		if i < 0 || i >= n {
			return nil, fmt.Errorf("order: there is no hardware thread %d; the topology has 0 to %d", i, n-1)
		}
		if seen[i] {
			return nil, fmt.Errorf("order: hardware thread %d is there twice", i)
		}
		seen[i] = true
		order = append(order, i)
	}
	if len(order) != n {
		return nil, fmt.Errorf("order: it has %d hardware threads, and the topology %d", len(order), n)
	}
	return order, nil
}

// coreLevel is the index of the level cores.
func (l *layout) coreLevel() int {
	return slices.IndexFunc(l.levels, func(l topo.Level) bool { return l.Name == "cores" })
}

// Processors returns the number of hardware threads of the machine.
func (m *Machine) Processors() int {
	l, err := m.layout()
	if err != nil {
		return 0
	}
	return len(l.places)
}

// Validate returns an error that says in one line what is wrong with the machine.
func (m *Machine) Validate() error {
	if m.Name == "" {
		return errors.New("a machine has a name")
	}
	l, err := m.layout()
	if err != nil {
		return err
	}
	for name, ns := range m.times() {
		if math.IsNaN(ns) || ns < 0 || ns > 1e6 {
			return fmt.Errorf("%s is %v: a time is 0 to 1000000 ns", name, ns)
		}
	}
	for name, ns := range m.Transfer {
		if !slices.Contains(levelNames[:4], name) {
			return fmt.Errorf("transfer_ns: there is no distance %q; there are %s", name, strings.Join(levelNames[:4], ", "))
		}
		if math.IsNaN(ns) || ns <= 0 || ns > 1e6 {
			return fmt.Errorf("transfer_ns of %s is %v: a transfer takes more than 0 and at most 1000000 ns", name, ns)
		}
	}
	for _, level := range l.levels {
		if _, ok := m.Transfer[level.Name]; !ok && level.Count > 1 && level.Name != "threads" {
			return fmt.Errorf("transfer_ns has no time for %s; the topology has %d", level.Name, level.Count)
		}
	}
	if m.RMW == 0 || m.Hit == 0 || m.Gap == 0 {
		return errors.New("rmw_ns, hit_ns and gap_ns are more than 0: without them time stands still")
	}
	switch m.Policy {
	case InOrder, Nearest, ByGroup, Random:
	default:
		return fmt.Errorf("there is no policy %q; there are %s, %s, %s and %s", m.Policy, InOrder, Nearest, ByGroup, Random)
	}
	for name, chance := range map[string]float64{
		"oldest_chance": m.OldestChance, "own_store_chance": m.OwnStoreChance, "merged_store_chance": m.MergedStoreChance,
	} {
		if !(chance >= 0 && chance <= 1) {
			return fmt.Errorf("%s is %v: a chance is 0 to 1", name, chance)
		}
	}
	if !(m.SiblingWork >= 1 && m.SiblingWork <= 100) || !(m.SiblingPoll >= 1 && m.SiblingPoll <= 100) {
		return errors.New("sibling_work and sibling_poll are how many times as long work takes: 1 to 100")
	}
	if f := m.InvalidateFactor; f != 0 && !(f >= 1 && f <= 1000) {
		return fmt.Errorf("invalidate_factor is %v: it is 1 to 1000, or 0 for 1", f)
	}
	if m.ReadsLocal != "" && !slices.ContainsFunc(l.levels, func(l topo.Level) bool {
		return l.Name == m.ReadsLocal && l.Name != "cores" && l.Name != "threads"
	}) {
		return fmt.Errorf("reads_local: the topology has no level %q outside the cores", m.ReadsLocal)
	}
	return nil
}

// times are the parameters that are times, by their names in the file.
func (m *Machine) times() map[string]float64 {
	return map[string]float64{
		"request_ns": m.Request, "memory_ns": m.Memory, "read_occupancy_ns": m.ReadOccupancy, "far_read_occupancy_ns": m.FarReadOccupancy, "rmw_ns": m.RMW,
		"hit_ns": m.Hit, "store_ns": m.Store, "gap_ns": m.Gap, "pause_ns": m.Pause, "spin_exit_ns": m.SpinExit,
	}
}

// Read reads a machine's file and validates it.
func Read(r io.Reader) (*Machine, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	m := new(Machine)
	switch err := decoder.Decode(m); {
	case errors.Is(err, io.EOF):
		return nil, errors.New("this is no machine: it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("this is no machine: it ends in the middle of a value")
	case err != nil:
		return nil, fmt.Errorf("this is no machine: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if decoder.More() {
		return nil, errors.New("this is no machine: there is something behind its end")
	}
	return m, m.Validate()
}

// ReadFile reads the machine in a file.
func ReadFile(name string) (*Machine, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// Write writes the machine as Read reads it.
func (m *Machine) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(m)
}

// Nodes returns the groups of a process: one for each level outside the cores that has several
// groups, from the outermost to the innermost.
func (m *Machine) Nodes(process int) (path []int) {
	l, err := m.layout()
	if err != nil || process >= len(l.order) {
		return nil
	}
	at := l.places[l.order[process]].path
	for i, level := range l.levels[:l.coreLevel()] {
		if level.Count > 1 {
			path = append(path, at[i])
		}
	}
	return path
}

// Together returns the most processes among the first ones that share a core.
func (m *Machine) Together(processes int) int {
	l, err := m.layout()
	if err != nil {
		return 0
	}
	most, on := 0, make([]int, l.cores)
	for _, thread := range l.order[:min(processes, len(l.order))] {
		on[thread/l.threads]++
		most = max(most, on[thread/l.threads])
	}
	return most
}
