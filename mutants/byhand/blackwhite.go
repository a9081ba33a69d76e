package byhand

import (
	"shmbench/bakery"
	"shmbench/register"
	"shmbench/shm"
	"shmbench/spin"
)

var (
	blackWhite         = bakery.BlackWhite(shm.Packed, shm.Sequential)
	releasedBlackWhite = bakery.BlackWhite(shm.Packed, shm.Released)
)

var blackWhites = []Mutant{
	mutate(blackWhite, "blackwhite-choosing-unread", "choosing is set and never awaited", Safety, 2,
		func(n int) shm.Mutex { return &blackWhiteChoosingUnread{newBlackWhite(n)} }),
	mutate(blackWhite, "blackwhite-other-colour-first", "a ticket of the other colour comes first on every day, so that of two of them each waits", Deadlock, 2,
		func(n int) shm.Mutex { return &blackWhiteOtherFirst{newBlackWhite(n)} }),
	mutate(blackWhite, "blackwhite-fields-apart", "the number and the colour of a ticket are read one after the other, as in Taubenfeld's form", Equivalent, 2,
		func(n int) shm.Mutex { return &blackWhiteFieldsApart{newBlackWhite(n)} }),
	release(releasedBlackWhite, "blackwhite-choosing-released", "choosing is cleared by a released store too, and nothing takes the ticket to memory",
		func(n int) shm.Mutex {
			l := &blackWhiteChoosingReleased{newBlackWhite(n)}
			l.released = true
			return l
		}),
}

// blackWhiteBase is the black-white bakery in pieces:
//
//	entry section of process i:
//	1  choosing[i] := true
//	2  mycolor := color
//	3  ticket[i] := (1 + max of the numbers of all ticket[j] of mycolor, mycolor)
//	4  choosing[i] := false
//	5  for j := 0 to n-1, except i:
//	6      wait until choosing[j] = false
//	7      if ticket[j] has mycolor then
//	8          wait until ticket[j] has number 0, or not mycolor, or (number, j) > (mine, i)
//	       else
//	9          wait until ticket[j] has number 0, or mycolor, or
//	10             color is not mycolor
//	exit section:
//	11 color := the other of mycolor
//	12 ticket[i] := (0, mycolor)
type blackWhiteBase struct {
	color    register.Uint32
	choosing []register.Bool
	ticket   []register.Uint32
	mycolor  []uint32
	released bool // line 3 is
}

func newBlackWhite(n int) blackWhiteBase {
	return blackWhiteBase{choosing: make([]register.Bool, n), ticket: make([]register.Uint32, n), mycolor: make([]uint32, n)}
}

// choose is lines 1 to 3, and returns the number.
func (l *blackWhiteBase) choose(i int) uint32 {
	l.choosing[i].Store(true) // 1
	mycolor := l.color.Load() // 2
	var number uint32
	for j := range l.ticket {
		if j != i {
			if ticket := l.ticket[j].Load(); ticket%2 == mycolor {
				number = max(number, ticket/2)
			}
		}
	}
	number++
	l.ticket[i].StoreReleaseIf(l.released, 2*number+mycolor) // 3
	l.mycolor[i] = mycolor
	return number
}

// awaitChoosing is line 6.
func (l *blackWhiteBase) awaitChoosing(j int) {
	spin.Until(func() bool { return !l.choosing[j].Load() })
}

// awaitTicket is lines 7 to 10.
func (l *blackWhiteBase) awaitTicket(i, j int, number uint32) {
	mycolor := l.mycolor[i]
	if l.ticket[j].Load()%2 != mycolor { // 7
		spin.Until(func() bool {
			ticket := l.ticket[j].Load()                                             // 9
			return ticket/2 == 0 || ticket%2 == mycolor || l.color.Load() != mycolor // 10
		})
		return
	}
	spin.Until(func() bool { // 8
		ticket := l.ticket[j].Load()
		other := ticket / 2
		return other == 0 || ticket%2 != mycolor || other > number || other == number && j > i
	})
}

func (l *blackWhiteBase) Lock(i int) {
	number := l.choose(i)      // 1-3
	l.choosing[i].Store(false) // 4
	for j := range l.ticket {  // 5
		if j != i {
			l.awaitChoosing(j)          // 6
			l.awaitTicket(i, j, number) // 7-10
		}
	}
}

func (l *blackWhiteBase) Unlock(i int) {
	l.color.Store(1 - l.mycolor[i]) // 11
	l.ticket[i].Store(l.mycolor[i]) // 12
}

type blackWhiteChoosingUnread struct{ blackWhiteBase }

func (l *blackWhiteChoosingUnread) Lock(i int) {
	number := l.choose(i)      // 1-3
	l.choosing[i].Store(false) // 4
	for j := range l.ticket {  // 5
		if j != i {
			l.awaitTicket(i, j, number) // 7-10
		}
	}
}

type blackWhiteOtherFirst struct{ blackWhiteBase }

func (l *blackWhiteOtherFirst) Lock(i int) {
	number := l.choose(i)      // 1-3
	l.choosing[i].Store(false) // 4
	for j := range l.ticket {  // 5
		if j == i {
			continue
		}
		l.awaitChoosing(j)                        // 6
		if l.ticket[j].Load()%2 == l.mycolor[i] { // 7
			l.awaitTicket(i, j, number) // 8
			continue
		}
		spin.Until(func() bool { // 9
			ticket := l.ticket[j].Load()
			return ticket/2 == 0 || ticket%2 == l.mycolor[i]
		})
	}
}

type blackWhiteFieldsApart struct{ blackWhiteBase }

func (l *blackWhiteFieldsApart) Lock(i int) {
	number := l.choose(i)      // 1-3
	l.choosing[i].Store(false) // 4
	mycolor := l.mycolor[i]
	for j := range l.ticket { // 5
		if j == i {
			continue
		}
		l.awaitChoosing(j)                   // 6
		if l.ticket[j].Load()%2 == mycolor { // 7
			spin.Until(func() bool { // 8
				return l.ticket[j].Load()/2 == 0 || l.ticket[j].Load()/2 > number ||
					j > i && l.ticket[j].Load()/2 >= number || l.ticket[j].Load()%2 != mycolor
			})
		} else {
			spin.Until(func() bool { // 9, 10
				return l.ticket[j].Load()/2 == 0 || l.color.Load() != mycolor || l.ticket[j].Load()%2 == mycolor
			})
		}
	}
}

type blackWhiteChoosingReleased struct{ blackWhiteBase }

func (l *blackWhiteChoosingReleased) Lock(i int) {
	number := l.choose(i)             // 1-3
	l.choosing[i].StoreRelease(false) // 4
	for j := range l.ticket {         // 5
		if j != i {
			l.awaitChoosing(j)          // 6
			l.awaitTicket(i, j, number) // 7-10
		}
	}
}
