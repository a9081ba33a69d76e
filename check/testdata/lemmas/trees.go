package lemmas

import (
	"shmbench/dekker"
	"shmbench/peterson"
	"shmbench/shm"
	"shmbench/tournament"
)

// A brief lock is left as soon as it is won.
type brief struct{ shm.Mutex }

func (l brief) Lock(i int) {
	l.Mutex.Lock(i)
	l.Mutex.Unlock(i)
}

func (brief) Unlock(int) {}

// briefTree is a tree in which a process has left each node when it comes to the
// next.
func briefTree(n int, shape tournament.Shape, node shm.Algorithm) (*tournament.Tree, error) {
	return tournament.NewTree("lemmas/tree", n, shape, func() (shm.Mutex, error) {
		lock, err := node.New(2)
		return brief{lock}, err
	})
}

func NewPriorityTree(n int) (*tournament.Tree, error) {
	return briefTree(n, tournament.Complete(2), peterson.Priority(shm.Packed, shm.Sequential))
}

func NewKesselsTree(n int) (*tournament.Tree, error) {
	return briefTree(n, tournament.Minimal(2), peterson.Kessels(shm.Packed, shm.Sequential))
}

func NewTsayTree(n int) (*tournament.Tree, error) {
	return briefTree(n, tournament.Minimal(2), peterson.Tsay(shm.Packed, shm.Sequential))
}

func NewDoranThomasTree(n int) (*tournament.Tree, error) {
	return briefTree(n, tournament.Minimal(2), dekker.DoranThomas(shm.Packed, shm.Sequential))
}

func NewRWSafeTree(n int) (*tournament.Tree, error) {
	return briefTree(n, tournament.Minimal(2), dekker.RWSafe(shm.Packed, shm.Sequential))
}
