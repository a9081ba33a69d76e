package sim

import "shmbench/distributed"

// nodeTimers are one node's timers. A setting has a number of its own, so that
// an expiry that was canceled, set anew or lost in a crash is told from a live
// one. A node has few timers: a scan finds one.
type nodeTimers struct {
	set  []timerSetting
	next uint32
}

type timerSetting struct {
	id  distributed.TimerID
	gen uint32 // 0: not set
}

func (e *engine) setTimer(node distributed.ID, t distributed.Timer) {
	ts := &e.timers[node]
	i := 0
	for i < len(ts.set) && ts.set[i].id != t.ID {
		i++
	}
	if i == len(ts.set) {
		ts.set = append(ts.set, timerSetting{id: t.ID})
	}
	if t.After <= 0 {
		ts.set[i].gen = 0
		return
	}
	ts.next++
	ts.set[i].gen = ts.next
	e.schedule(e.now+int64(t.After)*int64(e.o.tick()),
		event{kind: expiry, gen: ts.next, msg: distributed.Message{To: node, Thread: distributed.Thread(t.ID)}})
}

// expire returns the timer that ev stands for and whether it is still set.
func (ts *nodeTimers) expire(ev event) (distributed.TimerID, bool) {
	id := distributed.TimerID(ev.msg.Thread)
	for i := range ts.set {
		if s := &ts.set[i]; s.id == id && s.gen == ev.gen {
			s.gen = 0
			return id, true
		}
	}
	return id, false
}

// stop cancels all.
func (ts *nodeTimers) stop() {
	for i := range ts.set {
		ts.set[i].gen = 0
	}
}
