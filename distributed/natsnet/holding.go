package natsnet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"shmbench/distributed/natsnet/kv"
)

// holding is a lock that this process holds, and its renewal.
type holding struct {
	m        *Mutex
	owner    []byte
	number   uint64
	revision uint64        // the revision that this holder wrote last
	until    time.Time     // when the lease may be over
	lost     chan struct{} // closed when the lease may be over before long
	stop     context.CancelFunc
	ended    chan struct{} // closed when the renewal has ended
}

// hold starts to renew the lease of a key that was requested at time asked. The
// server counts the lease from a later moment on.
func (m *Mutex) hold(owner []byte, revision uint64, asked time.Time) *holding {
	ctx, cancel := context.WithCancel(context.Background())
	h := &holding{m: m, owner: owner, number: revision, revision: revision, until: m.safe(asked), lost: make(chan struct{}), stop: cancel, ended: make(chan struct{})}
	go h.renew(ctx)
	return h
}

// safe returns the time until which a lease requested at time asked certainly lasts.
// It is a tenth of the lease earlier than its end, because the clocks of two machines
// differ.
func (m *Mutex) safe(asked time.Time) time.Time { return asked.Add(m.o.Lease - m.o.Lease/10) }

// renew renews the lease until the holder releases the lock. It closes lost when no
// renewal succeeds in time.
func (h *holding) renew(ctx context.Context) {
	defer close(h.ended)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(min(h.m.o.Lease/3, time.Until(h.until))):
		}
		now := time.Now()
		if err := h.once(ctx); err != nil {
			if ctx.Err() == nil {
				close(h.lost)
			}
			return
		}
		h.until = h.m.safe(now)
	}
}

// once renews the lease before it may be over.
func (h *holding) once(ctx context.Context) error {
	ctx, cancel := context.WithDeadline(ctx, h.until)
	defer cancel()
	return h.m.store.Do(ctx, func(ctx context.Context) error {
		h.m.count()
		revision, err := h.m.store.Update(ctx, key, h.owner, h.revision)
		if err == nil {
			h.revision = revision
			return nil
		}
		if !kv.Conflict(err) {
			return err
		}
		return h.another(ctx)
	})
}

// another decides about a key whose revision is not that of h. If another holder has the
// key, it returns ErrLost. If the answer to an update was lost, the key has the revision
// of that update, and another returns kv.ErrAgain.
func (h *holding) another(ctx context.Context) error {
	mine, err := h.m.mine(ctx, h.owner)
	switch {
	case err != nil:
		return err
	case mine == 0:
		return ErrLost
	}
	h.revision = mine
	return kv.ErrAgain
}

// release releases the lock.
func (h *holding) release(ctx context.Context) error {
	h.stop()
	<-h.ended
	select {
	case <-h.lost:
		go h.m.withdraw(h.owner) // perhaps the server was only unreachable
		return ErrLost
	default:
	}
	err := h.m.store.Do(ctx, func(ctx context.Context) error {
		h.m.count()
		err := h.m.store.Delete(ctx, key, jetstream.LastRevision(h.revision))
		if !kv.Conflict(err) {
			return err
		}
		if err = h.another(ctx); errors.Is(err, ErrLost) && time.Now().Before(h.until) {
			return nil // a deletion whose answer was lost
		}
		return err
	})
	if err != nil && !errors.Is(err, ErrLost) {
		return fmt.Errorf("giving the lock back: %w", err)
	}
	return err
}
