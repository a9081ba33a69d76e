// Package idioms has locks with what Go code has beside accesses: each right,
// with one beside it in which the same is put to a wrong use.
package idioms

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// word is a test-and-set lock.
type word struct{ busy atomic.Bool }

func (l *word) Lock(int) {
	for l.busy.Swap(true) {
	}
}

func (l *word) Unlock(int) { l.busy.Store(false) }

// Defers gives the word back by calls that are deferred, the last one first: one
// of a method, one of a function literal, which sees the variable as it is then.
type Defers struct {
	word
	last int
}

func NewDefers(int) *Defers { return new(Defers) }

func (l *Defers) Unlock(i int) {
	defer l.busy.Store(false)
	me := -1
	defer func() {
		if l.last = me; l.last != i {
			panic("too early")
		}
	}()
	me = i
}

// DefersEarly defers in the wrong order.
type DefersEarly struct{ Defers }

func NewDefersEarly(int) *DefersEarly { return new(DefersEarly) }

func (l *DefersEarly) Unlock(i int) {
	defer func() { l.last = i }()
	defer l.busy.Store(false)
}

// DefersArgument defers with an argument, which is what it was when it was
// deferred: the word is never given back.
type DefersArgument struct{ word }

func NewDefersArgument(int) *DefersArgument { return new(DefersArgument) }

func (l *DefersArgument) Unlock(int) {
	held := true
	defer l.busy.Store(held)
	held = false
	_ = held
}

// Recovers lives on after a panic.
type Recovers struct{ word }

func NewRecovers(int) *Recovers { return new(Recovers) }

func (l *Recovers) Unlock(int) {
	defer func() { recover() }()
	l.busy.Store(false)
	panic("not for long")
}

// Sleeps passes the time asleep, for as long as a random number and the number of
// processors say.
type Sleeps struct{ word }

func NewSleeps(int) *Sleeps { return new(Sleeps) }

func (l *Sleeps) Lock(int) {
	for most := 1; l.busy.Swap(true); most = min(2*most, 64) {
		time.Sleep(time.Duration(rand.IntN(100)) * time.Hour)
		for range rand.IntN(1000) / runtime.NumCPU() {
			runtime.Gosched()
		}
		if runtime.GOMAXPROCS(0) == 1 {
			runtime.Gosched()
		}
	}
}

// Gambles takes the lock or not as a random number says.
type Gambles struct{ word }

func NewGambles(int) *Gambles { return new(Gambles) }

func (l *Gambles) Lock(int) {
	for rand.IntN(2) == 0 || l.busy.Swap(true) {
	}
}

// Processors takes no notice of others where there is one processor.
type Processors struct{ word }

func NewProcessors(int) *Processors { return new(Processors) }

func (l *Processors) Lock(int) {
	for l.busy.Swap(true) && runtime.NumCPU() > 1 {
	}
}

// Maps finds its words in maps that New has made.
type Maps struct {
	words map[int]*word
	names map[string]map[[2]int]int
	gone  map[string]int
}

func NewMaps(int) *Maps {
	l := &Maps{words: map[int]*word{}, names: map[string]map[[2]int]int{"a": {{1, 2}: 7}}, gone: map[string]int{"x": 1, "y": 2}}
	for i := range 3 {
		l.words[7*i] = new(word)
	}
	delete(l.gone, "x")
	return l
}

func (l *Maps) word() *word {
	n, ok := l.names["a"][[2]int{1, 2}]
	if _, there := l.gone["x"]; there || !ok || len(l.words) != 3 || len(l.gone) != 1 || l.names["b"] != nil {
		panic("not what New has put there")
	}
	return l.words[n]
}

func (l *Maps) Lock(i int)   { l.word().Lock(i) }
func (l *Maps) Unlock(i int) { l.word().Unlock(i) }

// MapsMissing has another word for each process except the first.
type MapsMissing struct{ words map[int]*word }

func NewMapsMissing(n int) *MapsMissing {
	l := &MapsMissing{map[int]*word{}}
	for i := range n {
		l.words[i] = new(word)
	}
	return l
}

func (l *MapsMissing) Lock(i int)   { l.words[i].Lock(i) }
func (l *MapsMissing) Unlock(i int) { l.words[i].Unlock(i) }

// MapsWritten writes to a map.
type MapsWritten struct {
	word
	owner map[string]int
}

func NewMapsWritten(int) *MapsWritten { return &MapsWritten{owner: map[string]int{}} }

func (l *MapsWritten) Unlock(i int) {
	l.owner["last"] = i
	l.word.Unlock(i)
}

// Funcs calls methods that are values and functions that New has stored.
type Funcs struct {
	w     word
	enter func(int)
	leave []func()
}

func NewFuncs(int) *Funcs {
	l := &Funcs{}
	l.enter = l.w.Lock
	l.leave = append(l.leave, func() {}, func() { (*word).Unlock(&l.w, 0) })
	return l
}

func (l *Funcs) Lock(i int) { l.enter(i) }

func (l *Funcs) Unlock(int) {
	leave := l.leave[1]
	leave()
}

// FuncsWrong leaves by the wrong one.
type FuncsWrong struct{ Funcs }

func NewFuncsWrong(int) *FuncsWrong { return &FuncsWrong{*NewFuncs(0)} }

func (l *FuncsWrong) Unlock(int) { l.leave[0]() }

// record has several words. Some of them are behind a name.
type record struct {
	owner, turns int
	pair         [2]int8
}

// Records copies records under the lock, word by word.
type Records struct {
	word
	now, last record
}

func NewRecords(int) *Records { return new(Records) }

func (l *Records) Lock(i int) {
	l.word.Lock(i)
	before := l.now
	l.last = before
	l.now = record{i, 1 - before.turns, [2]int8{int8(i), 1}}
	if l.last.owner != int(l.last.pair[0]) {
		panic("a part of one record and a part of another")
	}
}

// RecordsTorn copies it without the lock.
type RecordsTorn struct{ Records }

func NewRecordsTorn(int) *RecordsTorn { return new(RecordsTorn) }

func (l *RecordsTorn) Unlock(i int) {
	l.word.Unlock(i)
	if r := l.now; r.owner != int(r.pair[0]) {
		panic("a part of one record and a part of another")
	}
}

// Lists builds lists of its own, and counts its passages.
type Lists struct {
	word
	seen     [][]int
	passages []struct{ count, odd int }
}

func NewLists(n int) *Lists {
	return &Lists{seen: make([][]int, n), passages: make([]struct{ count, odd int }, n)}
}

func (l *Lists) Lock(i int) {
	list := make([]int, 0, 4)
	for k := range 3 {
		list = append(list, k+i)
	}
	clear(list[1:])
	if len(list) != 3 || list[0] != i || list[1] != 0 || list[2] != 0 {
		panic("not as it was built")
	}
	l.seen[i] = list
	clear(l.seen[i])
	var places [5]int
	for k := range places {
		places[k] = k
	}
	if l.seen[i][0] == 0 && places[4] == 4 {
		l.word.Lock(i)
	}
	l.passages[i].count++
}

// ListsWrong does not clear all.
type ListsWrong struct{ Lists }

func NewListsWrong(n int) *ListsWrong { return &ListsWrong{*NewLists(n)} }

func (l *ListsWrong) Lock(i int) {
	list := append([]int{}, 1, 2)
	if clear(list[:1]); list[1] == 0 {
		l.word.Lock(i)
	}
}

// Moves finds its word behind another by its distance.
type Moves struct {
	other, busy atomic.Uint32
}

func NewMoves(int) *Moves { return new(Moves) }

func (l *Moves) Lock(int) {
	w := (*atomic.Uint32)(unsafe.Add(unsafe.Pointer(&l.other), unsafe.Offsetof(l.busy)))
	for w.Swap(1) == 1 {
	}
}

func (l *Moves) Unlock(int) { l.busy.Store(0) }

// MovesShort finds the wrong one.
type MovesShort struct{ Moves }

func NewMovesShort(int) *MovesShort { return new(MovesShort) }

func (l *MovesShort) Unlock(int) {
	w := (*atomic.Uint32)(unsafe.Add(unsafe.Pointer(&l.busy), -int(unsafe.Sizeof(l.busy))))
	w.Store(0)
}

// MovesBetween finds none.
type MovesBetween struct{ Moves }

func NewMovesBetween(int) *MovesBetween { return new(MovesBetween) }

func (l *MovesBetween) Unlock(int) {
	w := (*atomic.Uint32)(unsafe.Add(unsafe.Pointer(&l.busy), 1))
	w.Store(0)
}
