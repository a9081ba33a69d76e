package node

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/live"
	"shmbench/distributed/natsnet/history"
	"shmbench/distributed/natsnet/resource"
)

// thread is one thread of a node.
type thread struct {
	node  *node
	id    distributed.Thread
	leave chan struct{} // tells the thread to leave

	mu    sync.Mutex
	entry history.Entry
	phase phase
	since int64 // of the phase storing
}

// stores notes that the thread waits for the resource or the server from now on.
func (t *thread) stores() { t.becomes(storing) }

func (t *thread) becomes(p phase) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.phase, t.since = p, history.Now()
}

type phase uint8

const (
	resting phase = iota
	waiting
	inside
	storing // waits for the resource, or for the server that keeps the lock
)

func newThread(n *node, id distributed.Thread) *thread {
	return &thread{node: n, id: id, leave: make(chan struct{}, 1)}
}

// note changes the record of the thread's entry and writes the change to the
// history.
func (t *thread) note(p phase, write func(*history.Writer, *history.Entry) error, change func(e *history.Entry)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	change(&t.entry)
	t.phase = p
	if t.node.o.History == nil {
		return nil
	}
	return write(t.node.o.History, &t.entry)
}

// once lets the thread enter and leave. It calls within in the critical section.
func (t *thread) once(within func(p live.Permission) error) error {
	n := t.node
	err := t.note(waiting, (*history.Writer).Ask, func(e *history.Entry) {
		*e = history.Entry{Node: n.o.ID, Thread: t.id, Asked: history.Now()}
	})
	if err != nil {
		return err
	}
	// The note itself took time, and the algorithm is not charged for it.
	t.mu.Lock()
	t.entry.Asked = history.Now()
	t.mu.Unlock()
	p, err := n.locker.Lock(n.ctx, t.id)
	if err != nil {
		return err
	}
	if err = t.note(inside, (*history.Writer).Enter, func(e *history.Entry) { e.Entered, e.Fence, e.Local = history.Now(), p.Fence, int64(p.Local) }); err != nil {
		return err
	}
	n.entries.Add(1)
	write, value, err := t.write(p, func(p live.Permission) error {
		if n.o.Tell { // once it has read
			n.tell(Event{Event: Entered, Thread: t.id, Fence: p.Fence})
		}
		return within(p)
	})
	if err != nil {
		return err
	}
	if err = t.note(resting, (*history.Writer).Leave, func(e *history.Entry) { e.Left, e.Write, e.Value = history.Now(), write, value }); err != nil {
		return err
	}
	t.stores()
	n.locker.Unlock(t.id)
	t.becomes(resting)
	if n.o.Tell {
		n.tell(Event{Event: Left, Thread: t.id, Fence: p.Fence})
	}
	return nil
}

// write reads the resource, calls within, and writes the next value to the
// resource. It returns the outcome of the write, and the value that it read.
func (t *thread) write(p live.Permission, within func(p live.Permission) error) (history.Write, int64, error) {
	n := t.node
	if n.o.Resource == nil {
		return history.None, 0, within(p)
	}
	t.stores()
	value, err := n.o.Resource.Read(n.ctx, p.Fence)
	t.becomes(inside)
	switch {
	case errors.Is(err, resource.ErrStale):
		return history.Refused, 0, within(p)
	case err != nil:
		return history.None, 0, fmt.Errorf("reading the resource: %w", err)
	}
	if err := within(p); err != nil {
		return history.None, 0, err
	}
	t.stores()
	switch err = n.o.Resource.Write(n.ctx, p.Fence, value+1); {
	case errors.Is(err, resource.ErrStale):
		return history.Refused, value, nil
	case err != nil:
		return history.None, 0, fmt.Errorf("writing to the resource: %w", err)
	}
	return history.Taken, value, nil
}

// section stays in the critical section for a time, or until the permission is
// taken back.
func (t *thread) section(p live.Permission) error {
	if t.node.o.Section <= 0 {
		return nil
	}
	return stay(t, p, time.After(t.node.o.Section))
}

// untilTold stays in the critical section until the parent tells the thread to
// leave, or until the permission is taken back.
func (t *thread) untilTold(p live.Permission) error { return stay(t, p, t.leave) }

func stay[T any](t *thread, p live.Permission, over <-chan T) error {
	select {
	case <-over:
	case <-p.Revoked:
	case <-t.node.ctx.Done():
		return t.node.ctx.Err()
	}
	return nil
}

// enough reports whether the last permission was the last that the run needs.
func (t *thread) enough() bool {
	if t.node.leased != nil { // whose tokens are not counted one by one
		return t.node.entries.Load() >= t.node.share()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.entry.Fence.Count >= t.node.o.Entries
}

// stands adds the thread to a report, unless it rests.
func (t *thread) stands(r *Report) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch now := history.Now(); t.phase {
	case waiting:
		r.Waiting = append(r.Waiting, Waiter{t.id, time.Duration(now - t.entry.Asked), distributed.Fence{}})
	case storing:
		r.Storing = append(r.Storing, Waiter{t.id, time.Duration(now - t.since), t.entry.Fence})
	case inside:
		r.Inside = append(r.Inside, Waiter{t.id, time.Duration(now - t.entry.Entered), t.entry.Fence})
	}
}
