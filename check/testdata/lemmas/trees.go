package lemmas

import (
	"shmbench/locks/burns"
	"shmbench/locks/dekker"
	"shmbench/peterson"
	"shmbench/shm"
)

// A Brief tree is one node for two processes, node[1], which is left as soon as it is
// won.
type Brief struct{ node []shm.Mutex }

func newBrief(node shm.Algorithm) (*Brief, error) {
	lock, err := node.New(2)
	return &Brief{node: []shm.Mutex{nil, lock}}, err
}

func (l *Brief) Lock(i int) {
	l.node[1].Lock(i)
	l.node[1].Unlock(i)
}

func (*Brief) Unlock(int) {}

func NewPriorityTree(int) (*Brief, error) {
	return newBrief(peterson.Priority(shm.Packed, shm.Sequential))
}

func NewKesselsTree(int) (*Brief, error) {
	return newBrief(peterson.Kessels(shm.Packed, shm.Sequential))
}

func NewTsayTree(int) (*Brief, error) { return newBrief(peterson.Tsay(shm.Packed, shm.Sequential)) }

func NewDoranThomasTree(int) (*Brief, error) {
	return newBrief(dekker.DoranThomas(shm.Packed, shm.Sequential))
}

func NewRWSafeTree(int) (*Brief, error) { return newBrief(dekker.RWSafe(shm.Packed, shm.Sequential)) }

func NewOneBitTree(int) (*Brief, error) { return newBrief(burns.OneBit(shm.Packed, shm.Sequential)) }
