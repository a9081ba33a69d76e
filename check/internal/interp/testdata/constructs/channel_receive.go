package constructs

// ChannelReceive receives.
type ChannelReceive struct{ c chan int }

func NewChannelReceive(int) *ChannelReceive { return &ChannelReceive{c: make(chan int, 1)} }

// Lock makes these accesses:
//
//	c = unknown
func (l *ChannelReceive) Lock(int) {
	<-l.c // refused: receives from a channel
}

func (l *ChannelReceive) Unlock(int) {}
