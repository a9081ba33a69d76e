package check_test

import (
	"math/rand/v2"
	"sort"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// What is left to the compiler, the runtime or code that is not read, as a plain
// reading of the source would have it. The compiler must not see through it.

var sink any

//go:noinline
func capacity() bool { return cap(append([]int{1, 2, 3}, 4)) == 4 }

//go:noinline
func beyond() (out bool) {
	defer func() { out = recover() != nil }()
	return len(append([]int{1, 2, 3}, 4)[:5]) == 0
}

//go:noinline
func moved() bool {
	grown := append([]int{1, 2, 3}, 4)
	a := append(grown, 5)
	_ = append(grown, 6)
	return a[4] == 5
}

//go:noinline
func layout() bool {
	halves := &[2]uint32{1, 1}
	sink = halves
	return *(*uint64)(unsafe.Pointer(halves)) == 1
}

//go:noinline
func drawn() bool {
	for range 4 { // once in a while two are the same
		if rand.Uint32() != rand.Uint32() {
			return false
		}
	}
	return true
}

//go:noinline
func handed() bool {
	order := []int{2, 1}
	sort.Slice(order, func(i, j int) bool { return order[i] < order[j] })
	return order[0] == 2
}

//go:noinline
func unknown() bool {
	good := true
	var held sync.Map
	held.Store("good", &good)
	v, _ := held.Load("good")
	*v.(*bool) = false
	return good
}

type bumps struct{ n int }

//go:noinline
func (b *bumps) bump() int {
	b.n = 5
	return 1
}

//go:noinline
func beside() bool {
	b := new(bumps)
	return b.n+b.bump() == 1
}

//go:noinline
func apart() bool {
	a, b := new(struct{}), new(struct{})
	sink = []any{a, b}
	return a != b
}

// TestRefusedForAReason: what the checker refuses, though other code around it is
// read, comes out otherwise in compiled code than its source reads.
func TestRefusedForAReason(t *testing.T) {
	src := check.Testdata(t, "traps")
	refused := []struct {
		construct, constructor string
		plain                  func() bool // whether it comes out as it reads
	}{
		{"the capacity after an append that grows", "NewCapacity", capacity},
		{"a slice of more than append has filled", "NewBeyond", beyond},
		{"an element that append may have moved", "NewGrown", moved},
		{"memory seen in another layout", "NewHalves", layout},
		{"a compare-and-swap of unknown values", "NewTokens", drawn},
		{"memory that a foreign function was handed", "NewSorted", handed},
		{"a store through an unknown address", "NewHeld", unknown},
		{"a variable read beside a call that changes it", "NewBumped", beside},
		{"the addresses of variables without size", "NewEmpty", apart},
	}
	for _, c := range refused {
		require.False(t, c.plain(), "compiled, %s is what it reads like: it need not be refused", c.construct)
		reports, err := src.Lock(t.Context(), c.constructor, check.Options{N: []int{2}})
		require.NoError(t, err, c.construct)
		require.NotEmpty(t, reports[0].Refused, c.construct)
	}
	t.Logf("%d constructs are refused for what their compiled code does", len(refused))
}
