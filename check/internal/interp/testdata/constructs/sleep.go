package constructs

import "time"

// Sleep waits for the clock.
type Sleep struct{ x int }

func NewSleep(int) *Sleep { return &Sleep{} }

func (l *Sleep) Lock(int) {
	time.Sleep(1) // refused: calls time.Sleep, which cannot be modelled
}

func (l *Sleep) Unlock(int) {}
