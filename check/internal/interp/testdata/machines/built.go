package machines

import (
	"errors"
	"sync"
	"sync/atomic"

	"shmbench/shm"
)

// Plain does nothing.
type Plain struct{ x int }

func (l *Plain) Lock(int)   { l.x = 1 }
func (l *Plain) Unlock(int) { l.x = 0 }

type Locker interface {
	Lock(int)
	Unlock(int)
}

func NewPlain(int) *Plain                                 { return &Plain{} }
func NewOrFails(n int) (*Plain, error)                    { return okay(n) }
func NewInterface(int) Locker                             { return &Plain{} }
func NewFurther(_ int, l shm.Layout, m shm.Layout) *Plain { return &Plain{x: int(l + m)} }
func NewNone() *Plain                                     { return nil }
func NewOfString(string) *Plain                           { return nil }
func NewVariadic(...int) *Plain                           { return nil }
func NewAndString(int, string) *Plain                     { return nil }
func NewAndOwn(int, Own) *Plain                           { return nil }
func NewAndStruct(int, shm.Claims) *Plain                 { return nil }
func NewNothing(int)                                      {}
func NewThree(int) (*Plain, error, int)                   { return nil, nil, 0 }
func NewGeneric[T any](int) *Plain                        { return nil }
func NewNil(int) Locker                                   { return nil }
func NewPanics(n int) *Plain                              { panic(n) }
func NewUnlocked(int) *Own                                { return nil }
func NewCopy(int) Plain                                   { return Plain{} }
func NewMutex(int) *sync.Mutex                            { return new(sync.Mutex) }
func NewWritesNil(int) *Plain                             { var m map[int]int; m[1] = 2; return nil }
func NewWritesUnknown(int) *Plain                         { *unknown().(*int) = 3; return nil }
func NewWritesUnknownMap(int) *Plain                      { unknown().(map[int]int)[1] = 3; return nil }
func NewDeletesUnknown(int) *Plain                        { delete(unknown().(map[int]int), 1); return nil }
func NewClearsUnknown(int) *Plain                         { clear(unknown().([]int)); return nil }
func NewCopiesUnknown(int) *Plain                         { copy(unknown().([]int), []int{1}); return nil }
func NewAddsUnknown(int) *Plain                           { unknown().(*atomic.Int32).Add(1); return nil }
func NewReadsUnknown(int) *Plain {
	return &Plain{x: len(unknown().([]int)) + unknown().(map[int]int)[1]}
}

type Own int

func (o *Own) Lock()      {}
func (o *Own) Unlock(int) {}

func okay(n int) (*Plain, error) {
	if n > 2 {
		return nil, errors.New("too many")
	}
	return &Plain{}, nil
}

func unknown() any {
	var held sync.Map
	held.Store(1, leaked)
	v, _ := held.Load(1)
	return v
}

var leaked = []any{new(int)}

// Large allocates as much as it is told to, and lets go of all but the last.
type Large struct{ kept []int }

func NewLarge(n int) *Large {
	l := &Large{kept: make([]int, 1000)}
	for i := range n {
		l.kept = make([]int, 1000)
		l.kept[i%7] = i
	}
	return l
}

func (l *Large) Lock(int)   { l.kept[0] = 1 }
func (l *Large) Unlock(int) {}

// Algorithm is a specification as package shm has them.
type Algorithm struct {
	Name string
	_    int
	New  func(n int) (*Plain, error)
}

type entry struct {
	order int
	_     string
	spec  Algorithm
}

func Specs() []entry {
	return []entry{{1, "", Algorithm{Name: "one", New: NewOrFails}}, {2, "", Algorithm{Name: "two", New: okay}}}
}

// Placed has a specification that is named as the paths of processes that it is given.
func Placed(paths [][]int) []entry {
	name := ""
	for i, path := range paths {
		if i > 0 {
			name += " "
		}
		for level, at := range path {
			if level > 0 {
				name += "."
			}
			name += string(rune('0' + at))
		}
	}
	return []entry{{1, "", Algorithm{Name: name, New: okay}}}
}

func NoSpecs() []entry { return nil }

func NewEndless(int) *Plain {
	for {
	}
}

func NewCountsUp(int) *Plain {
	l := &Plain{}
	for l.x < 1_000 {
		l.x++
	}
	return l
}
