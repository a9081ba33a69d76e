package register_test

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"shmbench/shm/register"
)

type word[T any] interface {
	Load() T
	Store(T)
	Swap(T) T
	StoreRelease(T)
	StoreReleaseIf(released bool, v T)
	StoreFencedIf(released bool, v T)
}

// testStores stores each value in each way, and wants every operation of
// sync/atomic to find it there.
func testStores[T any](t *testing.T, x word[T], values ...T) {
	for _, v := range values {
		for _, store := range []func(T){
			x.StoreRelease,
			func(v T) { x.StoreReleaseIf(true, v) },
			func(v T) { x.StoreReleaseIf(false, v) },
			func(v T) { x.StoreFencedIf(true, v) },
			func(v T) { x.StoreFencedIf(false, v) },
		} {
			for _, before := range values {
				x.Store(before)
				store(v)
				require.Equal(t, v, x.Load())
				require.Equal(t, v, x.Swap(before))
			}
		}
	}
}

func TestStores(t *testing.T) {
	testStores(t, new(register.Bool), false, true)
	testStores(t, new(register.Int32), 0, 7, -7, -1<<31, 1<<31-1)
	testStores(t, new(register.Int64), 0, 7, -7, -1<<63, 1<<63-1)
	testStores(t, new(register.Uint32), 0, 7, 1<<32-1)
	testStores(t, new(register.Uint64), 0, 7, 1<<64-1)
}

// TestComparesOfABool: a compare-and-swap takes a value that was stored for the same value that
// sync/atomic stores.
func TestComparesOfABool(t *testing.T) {
	for _, v := range []bool{false, true} {
		for _, store := range []func(x *register.Bool){
			func(x *register.Bool) { x.StoreRelease(v) },
			func(x *register.Bool) { x.StoreReleaseIf(true, v) },
			func(x *register.Bool) { x.StoreFencedIf(true, v) },
		} {
			var x register.Bool
			x.Store(!v)
			store(&x)
			require.False(t, x.CompareAndSwap(!v, !v))
			require.True(t, x.CompareAndSwap(v, !v))
			require.Equal(t, !v, x.Load())
		}
	}
}

// A store must write the whole word and nothing beside it.
func TestStoresKeepToTheirWord(t *testing.T) {
	var around struct {
		before, x, after register.Uint32
		b                register.Bool
		behind           register.Uint32
	}
	around.before.Store(1)
	around.after.Store(2)
	around.behind.Store(3)
	around.x.StoreRelease(1<<32 - 1)
	around.b.StoreRelease(true)
	require.Equal(t, []uint32{1, 1<<32 - 1, 2, 3},
		[]uint32{around.before.Load(), around.x.Load(), around.after.Load(), around.behind.Load()})
	require.Equal(t, unsafe.Sizeof(around.x), unsafe.Sizeof(around.b))
}

// message is handed from one goroutine to another by a released store: under
// the race detector, which knows of no other order, it must come without a race.
func TestStoreHandsOver(t *testing.T) {
	const rounds = 1000
	var full register.Uint32
	var message int
	done := make(chan int)
	go func() {
		sum := 0
		for range rounds {
			for full.Load() == 0 {
				runtime.Gosched()
			}
			sum += message
			full.StoreRelease(0)
		}
		done <- sum
	}()
	for i := range rounds {
		for full.Load() == 1 {
			runtime.Gosched()
		}
		message = i
		full.StoreRelease(1)
	}
	require.Equal(t, rounds*(rounds-1)/2, <-done)
}
