package constructs

import "sync/atomic"

// NodeSlice publishes a slice, whole.
type NodeSlice struct {
	w atomic.Pointer[[]int]
	x int
}

func NewNodeSlice(int) *NodeSlice { return &NodeSlice{} }

// Lock makes these accesses:
//
//	store w := []int#1, load w = []int#1, []int#1 = slice, [2]int#1[1] = 4, x := 4
func (l *NodeSlice) Lock(int) {
	s := make([]int, 2)
	s[1] = 4
	l.w.Store(&s)
	l.x = (*l.w.Load())[1]
}

func (l *NodeSlice) Unlock(int) {}
