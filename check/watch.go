package check

import "time"

// watch tells how long each part of a check takes.
type watch struct {
	Seconds
	last time.Time
}

// lap adds the time since the last lap.
func (w *watch) lap(to *float64) {
	now := time.Now()
	*to += now.Sub(w.last).Seconds()
	w.last = now
}

// explored takes the time that the states were explored for from the part of the check
// that did it.
func (w *watch) explored(d *decided) {
	if d.sharedWith != "" {
		return
	}
	w.Exploring = d.x.Graph.Elapsed.Seconds()
	if d.x.Graph == d.x.Model.Graph {
		w.Learning -= w.Exploring
	} else {
		w.Analysing -= w.Exploring
	}
}
