package kinds

import "sync/atomic"

type myBytes []byte

// texts appends and copies bytes of what may be a string.
type texts[B ~[]byte | ~string] struct {
	busy atomic.Bool
	b    B
	own  []byte
	more myBytes
	n    int
}

func newTexts[B ~[]byte | ~string](b B) *texts[B] {
	l := &texts[B]{b: b, own: make([]byte, 1, 8)}
	l.own = append(l.own, b...)
	l.more = append(l.more, b...)
	return l
}

func (l *texts[B]) Lock(int) {
	for l.busy.Swap(true) {
	}
	own := append([]byte(nil), l.b...)
	own = append(own, "cd"...)
	l.n = copy(own, l.b) + copy(l.more, l.b) + copy(l.more, "x")
	l.n = int(own[1]) + len(l.b)
}

func (l *texts[B]) Unlock(int) { l.busy.Store(false) }

func NewTextsString(int) *texts[string]     { return newTexts("ab") }
func NewTextsBytes(int) *texts[[]byte]      { return newTexts([]byte("ab")) }
func NewTextsMyString(int) *texts[myString] { return newTexts(myString("ab")) }
func NewTextsMyBytes(int) *texts[myBytes]   { return newTexts(myBytes("ab")) }
