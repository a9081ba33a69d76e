package constructs

// ChannelSend sends.
type ChannelSend struct{ c chan int }

func NewChannelSend(int) *ChannelSend { return &ChannelSend{c: make(chan int, 1)} }

// Lock makes these accesses:
//
//	c = unknown
func (l *ChannelSend) Lock(int) {
	l.c <- 1 // refused: sends on a channel
}

func (l *ChannelSend) Unlock(int) {}
