package link

import (
	"sync/atomic"

	"shmbench/distributed"
)

// A Cut is a fault: a carrier that can be cut off from other nodes.
type Cut struct {
	Carrier
	apart atomic.Pointer[[]bool] // nil: from none
}

// Part cuts this node off from node i if apart[i] is true, and joins it to all
// other nodes. No frame reaches a cut-off node or comes from it.
func (c *Cut) Part(apart []bool) { c.apart.Store(&apart) }

func (c *Cut) parted(i distributed.ID) bool {
	apart := c.apart.Load()
	return apart != nil && int(i) < len(*apart) && (*apart)[i]
}

// Start implements [Carrier].
func (c *Cut) Start(receive Receive) error {
	return c.Carrier.Start(func(from distributed.ID, frame []byte, answer func([]byte)) {
		if !c.parted(from) {
			receive(from, frame, answer)
		}
	})
}

// Send implements [Carrier].
func (c *Cut) Send(to distributed.ID, frame []byte) {
	if !c.parted(to) {
		c.Carrier.Send(to, frame)
	}
}
