package constructs

import "sync/atomic"

// FunctionHanded hands a function of New over in shared memory, where it is called.
type FunctionHanded struct {
	handed  func() uint32
	request [2]func() uint32
	w       atomic.Uint32
}

func NewFunctionHanded(int) *FunctionHanded {
	l := new(FunctionHanded)
	for i := range l.request {
		l.request[i] = func() uint32 { return uint32(i) + l.w.Load() }
	}
	return l
}

// Lock makes these accesses:
//
//	request[0] = func
//	handed := func
//	handed = func
//	request[0].i = 0
//	request[0].l = handed
//	load w = 0
//	store w := 7
func (l *FunctionHanded) Lock(i int) {
	l.handed = l.request[i]
	l.w.Store(l.handed() + 7)
}

func (l *FunctionHanded) Unlock(int) {}
