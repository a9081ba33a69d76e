package baseline

import "shmbench/shm"

// Channel is the specification of the one-slot channel.
var Channel = shm.Algorithm{
	Name:  "baseline/channel",
	Title: "One-slot channel",
	Source: shm.Source{
		Author: "The Go Authors",
		Title:  "Effective Go, section Channels",
		Venue:  "go.dev/doc/effective_go",
		Year:   2009,
	},
	Class:  shm.Opaque,
	Claims: shm.Claims{DeadlockFree: true, StarvationFree: true},
	Space:  shm.Space{},
}.Built(shm.Padded, shm.Sequential, buildChannel)

// ChannelMutex is a channel with one slot: a process enters by a send and leaves by a receive.
// Waiting processes sleep in the channel's queue, which is first-come-first-served. The Go
// runtime decides the order of arrival in that queue, and guards it by a lock of its own. The
// specification assumes that no process starves at that lock.
//
// Source: The Go Authors, "Effective Go", section Channels, where a buffered
// channel serves as a semaphore.
type ChannelMutex struct{ slot chan struct{} }

// NewChannel returns a channel lock for n processes, or a *shm.ProcsError.
func NewChannel(n int) (*ChannelMutex, error) {
	return shm.New[*ChannelMutex](Channel, n)
}

func buildChannel(shm.Build) shm.Mutex { return &ChannelMutex{slot: make(chan struct{}, 1)} }

// Lock fills the slot.
func (l *ChannelMutex) Lock(int) { l.slot <- struct{}{} }

// Unlock empties the slot.
func (l *ChannelMutex) Unlock(int) { <-l.slot }
