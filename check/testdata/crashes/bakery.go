package crashes

import (
	"sync/atomic"

	"shmbench/shm"
)

// bakery is recoverable/rbakery with a fault.
type bakery struct {
	how              string
	choosing, inside [2]atomic.Bool
	number           [2]atomic.Uint32
}

func NewBakeryAgain(int) *bakery     { return &bakery{how: "again"} }
func NewBakeryReset(int) *bakery     { return &bakery{how: "reset"} }
func NewBakeryChoosing(int) *bakery  { return &bakery{how: "choosing"} }
func NewBakeryExitOrder(int) *bakery { return &bakery{how: "exit order"} }

func (l *bakery) Recover(i int) shm.Outcome {
	switch l.how {
	case "reset":
		l.number[i].Store(0) // R1
	case "exit order":
		if l.inside[i].Load() { // R1
			return shm.Inside
		}
	}
	return shm.Enter
}

func (l *bakery) Lock(i int) {
	k := uint32(0)
	if l.how != "again" {
		k = l.number[i].Load() // E1
	}
	taken := k != 0
	if !taken {
		l.choosing[i].Store(true)                           // E2
		k = 1 + max(l.number[0].Load(), l.number[1].Load()) // E3
		l.number[i].Store(k)                                // E4
	}
	if !taken || l.how != "choosing" {
		l.choosing[i].Store(false) // E5
	}
	j := 1 - i
	for l.choosing[j].Load() { // E7
	}
	for { // E8
		if other := l.number[j].Load(); other == 0 || other > k || other == k && j > i {
			break
		}
	}
	if l.how == "exit order" {
		l.inside[i].Store(true) // E9
	}
}

func (l *bakery) Unlock(i int) {
	l.number[i].Store(0) // X2
	if l.how == "exit order" {
		l.inside[i].Store(false) // X1
	}
}
