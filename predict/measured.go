package predict

import "slices"

// Costs are measured times of a machine's own operations, in nanoseconds. They are a
// read-modify-write, a load and a release store of a line that the core has, and the pause
// of a waiting loop. Independent and Dependent are the times of these three operations in a
// row, where no operation uses the result of another one, and where each does. Answer is half a round trip of two cores that answer each other
// through one word. 0 means that the time was not measured.
type Costs struct{ RMW, Load, Release, Pause, Answer, Independent, Dependent float64 }

// Measured sets the measured parameters of a machine. It chooses the transfer time so that the
// model's round trip takes as long as the measured one. It assumes that a third of the way of
// a line is the request.
func (m *Machine) Measured(c Costs) {
	known := func(name string) {
		m.Assumed = slices.DeleteFunc(m.Assumed, func(s string) bool { return s == name })
	}
	taken := func(name string) {
		known(name)
		m.Taken = append(m.Taken, name)
	}
	if c.RMW > 0 && c.Load > 0 && c.Release > 0 && c.Independent > 0 && c.Dependent > 0 {
		m.Gap = c.gap()
		taken("gap_ns")
	}
	if c.RMW > m.Gap {
		m.RMW = round(c.RMW - m.Gap)
		taken("rmw_ns")
	}
	if c.Load > 0 {
		m.Hit = round(max(0.1, c.Load))
		taken("hit_ns")
	}
	if c.Release > 0 {
		m.Store = round(c.Release)
		taken("store_ns")
	}
	if c.Pause > m.Gap {
		m.Pause = round(c.Pause - m.Gap)
		taken("pause_ns")
		m.Source = "" // a family's
	}
	if c.Answer <= 0 {
		return
	}
	if _, ok := m.Transfer["cores"]; !ok {
		return
	}
	low, high := 1.0, c.Answer
	for range 20 {
		way := (low + high) / 2
		m.Request, m.Transfer["cores"] = round(way/3), round(2*way/3)
		if m.answer() > c.Answer {
			high = way
		} else {
			low = way
		}
	}
	m.Fitted = append(m.Fitted, "transfer_ns.cores")
	if len(m.Transfer) == 1 {
		known("transfer_ns")
	}
	m.Fit = "transfer_ns.cores and request_ns fitted to the time of one answer between two processors"
	if far, ok := m.Transfer["sockets"]; ok {
		m.Transfer["sockets"] = max(far, 2*m.Transfer["cores"])
	}
}

// leastGap is the least gap_ns: with 0, time would stand still.
const leastGap = 0.01

// gap is the time of the code between two accesses. It is the mean of what the independent and the
// dependent operations take beyond their own times, for one of the three. A lock has both kinds.
// The processor may overlap so much that nothing is left.
func (c Costs) gap() float64 {
	beyond := (c.Independent+c.Dependent)/2 - (c.RMW + c.Load + c.Release)
	return round(max(leastGap, beyond/3))
}

func round(x float64) float64 { return float64(int(x*100+0.5)) / 100 }

// rally is a process that answers another process through a word.
type rally struct {
	word   int32
	me     uint64
	left   int
	loaded bool
}

func (r *rally) Next(got uint64) Access {
	if r.loaded && got == r.me {
		r.loaded = false
		return Access{Op: Store, Word: r.word, Arg: 1 - r.me}
	}
	if !r.loaded {
		if r.left--; r.left < 0 {
			return Access{Op: End}
		}
	}
	r.loaded = true
	return Access{Op: Load, Word: r.word}
}

// answer is the time of one answer of two processes on cores of their own, in ns.
func (m *Machine) answer() float64 {
	c := m.clone()
	c.Order = CoresFirst
	e, err := NewEngine(c, 1)
	if err != nil {
		return 0
	}
	const turns = 50
	w := e.AddWord(e.AddLine(), 0)
	for i := range uint64(2) {
		e.AddProcess(&rally{word: w, me: i, left: turns}, 0)
	}
	if e.Run(nil) != nil {
		return 0
	}
	return e.Now().NS() / (2 * turns)
}
