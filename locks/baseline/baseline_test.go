package baseline

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/testkit/onestep"
)

// The null lock lets everybody in at once: it is there to measure the rest.
func TestNullExcludesNobody(t *testing.T) {
	l, err := NewNull(2)
	require.NoError(t, err)
	l.Lock(0)
	p := onestep.Enter(l, 1)
	p.MustEnter(t)
}

func TestBaselinesExclude(t *testing.T) {
	mutex, err := NewMutex(2)
	require.NoError(t, err)
	channel, err := NewChannel(2)
	require.NoError(t, err)
	mutex.Lock(0)
	channel.Lock(0)
	waitsForMutex, waitsForChannel := onestep.Enter(mutex, 1), onestep.Enter(channel, 1)
	waitsForMutex.MustWait(t)
	waitsForChannel.MustWait(t)
	mutex.Unlock(0)
	channel.Unlock(0)
	waitsForMutex.MustEnter(t)
	waitsForChannel.MustEnter(t)
}

// Readers are inside together, and keep a writer out until the last has left.
func TestRWMutexLetsReadersInTogether(t *testing.T) {
	l, err := NewRWMutex(3)
	require.NoError(t, err)
	l.RLock(0)
	l.RLock(1)
	writer := onestep.Enter(l, 2)
	writer.MustWait(t)
	l.RUnlock(0)
	writer.MustWait(t)
	l.RUnlock(1)
	writer.MustEnter(t)
	writer.Leave()
}

func ExampleSyncMutex() {
	lock, err := NewMutex(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	lock.Lock(0)
	fmt.Println("inside")
	lock.Unlock(0)
	// Output: inside
}
