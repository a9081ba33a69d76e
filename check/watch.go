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

// explored counts the time that a stage took to explore states as Exploring, and no longer as
// part of that stage.
func (w *watch) explored(stage *float64, took time.Duration) {
	*stage -= took.Seconds()
	w.Exploring += took.Seconds()
}
