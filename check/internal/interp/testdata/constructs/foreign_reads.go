package constructs

import (
	"path"
	"runtime"
	"strings"
	"unicode/utf8"
)

// ForeignReads uses what was given to functions that only read.
type ForeignReads struct {
	b []byte
	s []string
	n *int
	x int
}

func NewForeignReads(int) *ForeignReads {
	l := &ForeignReads{b: []byte("ab"), s: []string{"c"}, n: new(int)}
	runtime.SetFinalizer(l, nil)
	runtime.SetFinalizer(l.n, nil)
	_ = utf8.Valid(l.b)
	_ = strings.Join(l.s, "") + path.Join(l.s...)
	return l
}

// Lock makes these accesses:
//
//	b = slice, b[1] = 98, x := 98, n = n, n = 0, x := 0, s = slice, s[0] = "c", x := 1
func (l *ForeignReads) Lock(int) {
	l.x = int(l.b[1])
	l.x = *l.n
	l.x = len(l.s[0])
}

func (l *ForeignReads) Unlock(int) {}
