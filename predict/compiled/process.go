package compiled

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"time"
	"unsafe"

	"shmbench/internal/build/twin"
	"shmbench/predict"
)

// process is a process of the lock as the engine sees it.
type process struct {
	d      *driver
	id     int
	random *rand.Rand
	next   func() (predict.Access, bool)
	stop   func()
	yield  func(predict.Access) bool
	due    time.Duration // of an open loop: when the next passage is due

	made    made   // the access that is being made
	failed  bool   // it was a compare-and-swap that failed
	posted  []held // its stores that have not drained, the oldest first
	drained func()
	site    site
}

// made is what is left to do behind an access: it was made on memory, and a
// process that goes on stands behind it.
type made struct {
	op     twin.Op // 0: nothing
	at     unsafe.Pointer
	kind   reflect.Kind
	before uint64
	site   site
}

// held is a posted store.
type held struct {
	at    unsafe.Pointer
	kind  reflect.Kind
	value uint64
	site  site
}

func newProcess(d *driver, id int, seed uint64) *process {
	p := &process{d: d, id: id, random: rand.New(rand.NewPCG(seed, uint64(id)))}
	p.drained = func() {
		h := p.posted[0]
		p.posted = p.posted[:copy(p.posted, p.posted[1:])]
		write(h.at, h.kind, h.value)
	}
	return p
}

// Next runs the process to its next step.
func (p *process) Next(uint64) predict.Access {
	p.d.running = p
	a, ok := p.next()
	p.d.running = nil
	if !ok || p.d.fault != nil {
		return predict.Access{Op: predict.End}
	}
	return a
}

// step stops the process before a step.
func (p *process) step(a predict.Access) {
	p.settle()
	a.Failed, p.failed = p.failed, false
	if !p.yield(a) {
		panic(errReleased)
	}
}

// settle is done behind an access, before anybody else runs.
func (p *process) settle() {
	m := &p.made
	switch m.op {
	case twin.OpStoreRelease: // in its buffer, and not yet in memory
		p.posted = append(p.posted, held{m.at, m.kind, read(m.at, m.kind), m.site})
		write(m.at, m.kind, m.before)
	case twin.OpLoad: // it was given what its own buffer has
		write(m.at, m.kind, m.before)
	case twin.OpCompareAndSwap:
		p.failed = read(m.at, m.kind) == m.before
	}
	m.op = 0
}

// run makes passages forever.
func (p *process) run(yield func(predict.Access) bool) {
	defer func() {
		if v := recover(); v != nil && v != errReleased && p.d.fault == nil {
			p.d.fault = fmt.Errorf("process %d panics in its lock: %v", p.id, v)
		}
	}()
	p.yield = yield
	d := p.d
	for {
		p.rest()
		p.mark(predict.Try)
		d.caches.begin(p.id)
		d.lock.Lock(p.id)
		p.mark(predict.Enter)
		// As in bench: the section's word is read and written, and written again.
		p.step(predict.Access{Op: predict.Load, Word: d.section})
		p.step(predict.Access{Op: predict.StoreRelease, Word: d.section})
		for _, word := range d.lines {
			p.step(predict.Access{Op: predict.Load, Word: word})
			p.step(predict.Access{Op: predict.StoreRelease, Word: word})
		}
		p.work(d.load.CS)
		p.step(predict.Access{Op: predict.StoreRelease, Word: d.section})
		p.mark(predict.Leave)
		d.lock.Unlock(p.id)
		p.mark(predict.Rest)
	}
}

// rest is the remainder section.
func (p *process) rest() {
	if p.d.load.Rate == 0 {
		p.work(p.d.load.NCS)
		return
	}
	p.due += time.Duration(p.random.ExpFloat64() / p.d.load.Rate * 1e9)
	if early := predict.NS(float64(p.due)) - p.d.engine.Now(); early > 0 {
		p.step(predict.Access{Op: predict.Idle, Time: early})
	}
}

func (p *process) work(d time.Duration) {
	if d > 0 {
		p.step(predict.Access{Op: predict.Work, Time: predict.NS(float64(d))})
	}
}

func (p *process) mark(place uint64) {
	p.site = site{}
	p.step(predict.Access{Op: predict.Mark, Arg: place})
}

// ops are the accesses of the twin as the engine knows them.
var ops = [...]predict.Op{
	twin.OpLoad: predict.Load, twin.OpStore: predict.Store, twin.OpStoreRelease: predict.StoreRelease, twin.OpSwap: predict.Swap,
	twin.OpCompareAndSwap: predict.CompareAndSwap, twin.OpAdd: predict.Add, twin.OpAnd: predict.And, twin.OpOr: predict.Or,
}

// before stops the process that runs before an access. What New does is before
// all processes.
func (d *driver) before(a twin.Access) {
	p := d.running
	if p == nil {
		return
	}
	kind := a.Type.Kind()
	if kind == reflect.Interface {
		panic("atomic.Value is out of the model")
	}
	acc := predict.Access{Op: ops[a.Op], Word: d.word(uintptr(a.Addr))}
	if a.Op == twin.OpStoreRelease {
		acc.Do = p.drained
	}
	if d.explain {
		p.site = here()
	}
	p.step(acc)
	d.caches.access(p.id, uintptr(a.Addr), a.Op)
	// The access is made when this returns.
	switch a.Op {
	case twin.OpLoad:
		for i := len(p.posted) - 1; i >= 0; i-- {
			if h := &p.posted[i]; h.at == a.Addr {
				p.made = made{a.Op, a.Addr, kind, read(a.Addr, kind), p.site}
				write(a.Addr, kind, h.value)
				break
			}
		}
	case twin.OpStoreRelease, twin.OpCompareAndSwap:
		p.made = made{a.Op, a.Addr, kind, read(a.Addr, kind), p.site}
	}
}

// paused stops the process that runs at a pause.
func (d *driver) paused() {
	if p := d.running; p != nil {
		p.step(predict.Access{Op: predict.Pause})
	}
}

// read returns what a word of a kind holds. An atomic boolean is a word of 32 bits.
func read(at unsafe.Pointer, kind reflect.Kind) uint64 {
	switch kind {
	case reflect.Bool, reflect.Int32, reflect.Uint32:
		return uint64(*(*uint32)(at))
	case reflect.Int64, reflect.Uint64:
		return *(*uint64)(at)
	}
	return uint64(*(*uintptr)(at))
}

// write is read's counterpart. Pointers are not written: their stores have a fence.
func write(at unsafe.Pointer, kind reflect.Kind, v uint64) {
	switch kind {
	case reflect.Bool, reflect.Int32, reflect.Uint32:
		*(*uint32)(at) = uint32(v)
	case reflect.Int64, reflect.Uint64:
		*(*uint64)(at) = v
	default:
		*(*uintptr)(at) = uintptr(v)
	}
}

// site is a line of source; the zero site is the harness.
type site struct {
	file string
	line int
}

// here is the line of the lock that makes an access.
func here() site {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if !twinned(f.Function) {
			return site{f.File, f.Line}
		}
		if !more {
			return site{}
		}
	}
}
