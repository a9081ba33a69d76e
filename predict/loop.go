package predict

import (
	"errors"
	"slices"
)

// ErrStuck ends a run in which no event can happen any more.
var ErrStuck = errors.New("all processes wait forever")

// fullTurns is how many times a process repeats a turn before it sleeps for the first time.
const fullTurns = 3

// maxAlarms is how often a process that polls is woken without a change,
// for the sake of loops that give up after so many turns.
const maxAlarms = 1000

// loop notices that a process polls: its loads, with nothing but pauses
// between them, were the same in four turns and found nothing changed. Two turns are enough
// for a process that has polled these registers before and has done nothing else since. As its code is
// deterministic, it will see nothing new until one of its copies is taken away or written.
// The first load of a turn is found as Brent finds cycles.
type loop struct {
	turn   []polled // the loads of a turn, or since it is looked for
	found  bool     // the turn is whole, and
	pos    int      // the load that is to come
	turns  int      // turns made since
	limit  int      // of loads until a turn is looked for anew
	began  Time     // of this turn
	period Time     // from the begin of the turn before to that of this one
	asleep Time     // when it began to sleep
	paused bool     // the access that is to come follows a pause
	slept  []int32  // the registers that it has polled, if
	woken  bool     // it has polled, and has done nothing else since then
	last   int32    // the register loaded before, or -1 if something else came between
	alarms int
}

type polled struct {
	word    int32
	version uint32
	paused  bool // there was a pause before it
}

// restart begins to look for a turn.
func (o *loop) restart() {
	o.turn, o.found, o.pos, o.turns, o.limit = o.turn[:0], false, 0, 0, 1
}

// load notes a load that found a copy, and reports whether the process may sleep.
func (o *loop) load(word int32, version uint32, now Time) bool {
	w := polled{word, version, o.paused}
	if o.found && o.turn[o.pos] != w {
		o.restart()
	}
	if !o.found && len(o.turn) > 0 && o.turn[0] == w {
		o.found, o.pos = true, 0
	}
	if !o.found {
		if len(o.turn) >= o.limit {
			o.turn, o.limit = o.turn[:0], 2*o.limit
		}
		if len(o.turn) == 0 {
			o.began = now
		}
		o.turn = append(o.turn, w)
		return false
	}
	if o.pos == 0 {
		o.period, o.began = now-o.began, now
	}
	if o.pos++; o.pos < len(o.turn) {
		return false
	}
	o.pos = 0
	o.turns++
	return o.turns >= fullTurns || o.woken && o.same()
}

// same reports whether the process polls what it slept on, with a pause. Without the pause, the exit section of a ticket
// lock would look like one more turn: it loads the word that the process has polled.
func (o *loop) same() bool {
	paused := false
	for _, w := range o.turn {
		paused = paused || w.paused
	}
	return paused && slices.EqualFunc(o.turn, o.slept, func(w polled, word int32) bool { return w.word == word })
}

// again notes a load, and that it is of a register that was loaded just before.
func (o *loop) again(word int32) {
	if o.last == word && !o.woken {
		o.slept, o.woken = append(o.slept[:0], word), true
	}
	o.last = word
}

// sleep notes which registers are polled.
func (o *loop) sleep() {
	o.slept = o.slept[:0]
	for _, w := range o.turn {
		o.slept = append(o.slept, w.word)
	}
}

// wake has the process look at its registers again.
func (o *loop) wake() {
	o.restart()
	o.woken = true
}

// stays reports whether an access belongs to the loop in which the process slept.
func (o *loop) stays(a *Access) bool {
	if a.Op == Pause {
		return true
	}
	if a.Op != Load {
		return false
	}
	for _, word := range o.slept {
		if word == a.Word {
			return true
		}
	}
	return false
}

// unchanged reports whether a core still has what its process polls, as it was.
func (e *Engine) unchanged(p *proc) bool {
	for _, w := range p.loop.turn {
		l := e.lines[e.words[w.word].line]
		if l.version != w.version || !e.has(l, int(p.core)) {
			return false
		}
	}
	return true
}

// polls reports whether a process that sleeps polls a line.
func (e *Engine) polls(p *proc, line int32) bool {
	for _, word := range p.loop.slept {
		if e.words[word].line == line {
			return true
		}
	}
	return false
}

func (e *Engine) sleep(p *proc) {
	p.loop.sleep()
	p.loop.asleep = e.now
	p.state = asleep
	if e.cores[p.core].working > 0 {
		e.rates(p.core)
	}
}

// wake wakes the processes of a core that poll a line.
func (e *Engine) wake(line, core int32) {
	if e.fault == losesWakeUps {
		return
	}
	for _, p := range e.cores[core].procs {
		if p.state == asleep && e.polls(p, line) {
			e.awake(p)
		}
	}
}

// awake continues a process that polls. Where it is in its loop is known for the turns that it would have made
// without sleep, and it is anywhere after them.
func (e *Engine) awake(p *proc) {
	p.state = ready
	if e.cores[p.core].working > 0 {
		e.rates(p.core)
	}
	var after Time
	period := max(p.loop.period, 1)
	if slept := e.now - p.loop.asleep; slept < Time(fullTurns-p.loop.turns)*period {
		after = (period - slept%period) % period
	} else {
		after = Time(e.random(int64(period)))
	}
	p.loop.wake()
	e.push(e.now+after, evIssue, p.id, 0)
}

// stuck is asked when nothing will happen any more. A process that polls with a limit on
// its turns is woken to make some; if that does not help, the processes wait forever.
func (e *Engine) stuck() bool {
	woken := false
	for _, p := range e.procs {
		if p.state == asleep && p.loop.alarms < maxAlarms {
			p.loop.alarms++
			e.awake(p)
			woken = true
		}
	}
	if !woken {
		e.err = ErrStuck
	}
	return woken
}
