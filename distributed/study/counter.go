package study

import "sync"

// counter tells how many of the runs are done.
type counter struct {
	mu       sync.Mutex
	done, of int
	tell     func(done, of int)
}

// more says that there are n runs more than was thought.
func (c *counter) more(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of += n
}

func (c *counter) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done++
	if c.tell != nil {
		c.tell(c.done, c.of)
	}
}
