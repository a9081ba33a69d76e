package constructs

// List follows pointers, round a ring.
type List struct {
	head *node
	x    int
}

func NewList(int) *List {
	n := &node{v: 1}
	n.next = &node{2, n}
	return &List{head: n}
}

type node struct {
	v    int
	next *node
}

// Lock makes these accesses:
//
//	head = head
//	head.v = 1, x = 0, x := 1, head.next = head.next
//	head.next.v = 2, x = 1, x := 3, head.next.next = head
//	head.v = 1, x = 3, x := 4, head.next = head.next
func (l *List) Lock(int) {
	for n, i := l.head, 0; i < 3; n, i = n.next, i+1 {
		l.x += n.v
	}
}

func (l *List) Unlock(int) {}
