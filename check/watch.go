package check

import "time"

// watch tells which stage of a check runs, and how long each part takes.
type watch struct {
	Seconds
	last  time.Time
	stage string
}

// The stages of a check, as the report of a panic names them.
const (
	whileLearning  = "while its processes are learned"
	whileDeciding  = "while its states are explored and its properties decided"
	whileReplaying = "while it is replayed on the compiled code"
)

// lap adds the time since the last lap.
func (w *watch) lap(to *float64) {
	now := time.Now()
	*to += now.Sub(w.last).Seconds()
	w.last = now
}

// explored counts the time of exploring the states as Exploring, and no longer as part of the
// stage that explored them.
func (w *watch) explored(d *verdicts) {
	if d.sharedWith != "" {
		return
	}
	w.Exploring = d.x.Graph.Elapsed.Seconds()
	if d.x.Graph == d.x.Learned.Graph {
		w.Learning -= w.Exploring
	} else {
		w.Analysing -= w.Exploring
	}
}
