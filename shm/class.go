package shm

import (
	"fmt"
	"slices"
	"strings"
)

// Class is the set of operations on shared registers that a lock needs. The zero Class is
// plain reads and writes.
type Class uint16

// The classes of one operation. A lock that needs several joins them with |.
const (
	ReadWrite Class = 0
	// TestAndSet sets a bit and returns its old value.
	TestAndSet Class = 1 << iota
	// Swap stores any value and returns the old one.
	Swap
	// CompareAndSwap stores if the register holds an expected value.
	CompareAndSwap
	// FetchAndAdd adds and returns the sum.
	FetchAndAdd
	// FetchAndOr sets or clears bits and returns the old value.
	FetchAndOr
	// Futex lets a process sleep until another process wakes it, with the futex system
	// call. The checker has a model of it.
	Futex
	// Opaque is the Go runtime or the operating system, which the checker cannot explore.
	Opaque
)

// Sleeps reports whether a process may wait in the operating system or in the Go runtime. A
// model of a machine has neither.
func (c Class) Sleeps() bool { return c&(Futex|Opaque) != 0 }

type className struct {
	bit  Class
	name string
}

var classNames = []className{
	{TestAndSet, "test-and-set"},
	{Swap, "swap"},
	{CompareAndSwap, "compare-and-swap"},
	{FetchAndAdd, "fetch-and-add"},
	{FetchAndOr, "fetch-and-or"},
	{Futex, "futex"},
	{Opaque, "opaque"},
}

// Classes returns the classes of one operation each, ReadWrite first.
func Classes() []Class {
	all := []Class{ReadWrite}
	for _, n := range classNames {
		all = append(all, n.bit)
	}
	return all
}

// String names the class: "read/write", "swap+compare-and-swap".
func (c Class) String() string {
	if c == ReadWrite {
		return "read/write"
	}
	var names []string
	for _, n := range classNames {
		if c&n.bit != 0 {
			names = append(names, n.name)
		}
	}
	return strings.Join(names, "+")
}

// MarshalText encodes the class as its name.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText decodes the class from its name.
func (c *Class) UnmarshalText(name []byte) error {
	*c = ReadWrite
	if string(name) == c.String() {
		return nil
	}
	for part := range strings.SplitSeq(string(name), "+") {
		i := slices.IndexFunc(classNames, func(n className) bool { return n.name == part })
		if i < 0 {
			return fmt.Errorf("there is no class of registers %q", name)
		}
		*c |= classNames[i].bit
	}
	return nil
}
