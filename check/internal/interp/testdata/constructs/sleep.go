package constructs

import "time"

// Sleep passes the time.
type Sleep struct{ x int }

func NewSleep(int) *Sleep { return &Sleep{} }

// Lock makes these accesses:
//
//	x := 1
func (l *Sleep) Lock(int) {
	time.Sleep(1)
	l.x = 1
}

func (l *Sleep) Unlock(int) {}
