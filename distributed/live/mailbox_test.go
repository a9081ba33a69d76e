package live

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/run/goroutine"
)

// filling is a goroutine that puts an event into a box of few.
type filling struct {
	id   int
	done chan struct{} // closed when putWithin returns
}

func fill(b *mailbox, limit int, ev event) filling {
	f := filling{done: make(chan struct{})}
	id := make(chan int)
	go func() {
		id <- goroutine.ID()
		b.putWithin(limit, ev)
		close(f.done)
	}()
	f.id = <-id
	return f
}

// mustWait returns once the goroutine waits for room.
func (f filling) mustWait(t *testing.T) {
	for goroutine.Dump()[f.id].State != "sync.Cond.Wait" {
		select {
		case <-f.done:
			t.Fatal("it did not wait for room")
		default:
		}
	}
}

// A box hands out its events in the order of their arrival. A message from a network waits
// until the box has fewer events than the limit. Other events do not wait.
func TestMailboxWaitsForRoom(t *testing.T) {
	var b mailbox
	b.init()
	b.putWithin(2, event{setting: 1})
	b.putWithin(2, event{setting: 2})
	f := fill(&b, 2, event{setting: 4})
	f.mustWait(t)
	b.put(event{setting: 3})
	f.mustWait(t)
	for k := 1; k <= 4; k++ {
		ev, ok := b.take()
		require.True(t, ok)
		require.Equal(t, k, ev.setting)
		if k == 2 { // one is left, so there is room
			<-f.done
		}
	}
}

// A box that closes lets all that wait go on. It takes and gives no event after that.
func TestMailboxCloses(t *testing.T) {
	var b mailbox
	b.init()
	b.put(event{})
	f := fill(&b, 1, event{})
	f.mustWait(t)
	b.close()
	<-f.done
	b.putWithin(1, event{})
	b.put(event{})
	require.Equal(t, 1, b.queue.Len())
	_, ok := b.take()
	require.False(t, ok)

	var empty mailbox
	empty.init()
	took := make(chan bool)
	go func() {
		_, ok := empty.take()
		took <- ok
	}()
	empty.close()
	require.False(t, <-took)
}
