package shm

// The optional methods of a checked lock. A type parameter cannot be embedded, so each combination is a type
// of its own.
type (
	checkedReader    struct{ c *checked }
	checkedTryReader struct{ checkedReader }
	checkedTry       struct{ c *checked }
	checkedUntil     struct{ c *checked }
)

func (r checkedReader) RLock(pid int)   { r.c.enter(Shared, pid, nil) }
func (r checkedReader) RUnlock(pid int) { r.c.leave(Shared, pid) }

func (r checkedTryReader) TryRLock(pid int) bool { return r.c.enter(TryShared, pid, nil) }

func (t checkedTry) TryLock(pid int) bool { return t.c.enter(Try, pid, nil) }

func (u checkedUntil) LockUntil(pid int, giveUp func() bool) bool {
	return u.c.enter(Until, pid, giveUp)
}

// withoutReader is a checked lock that has no readers.
func (c *checked) withoutReader(tries, untils bool) Mutex {
	switch {
	case tries && untils:
		return struct {
			*checked
			checkedTry
			checkedUntil
		}{c, checkedTry{c}, checkedUntil{c}}
	case tries:
		return struct {
			*checked
			checkedTry
		}{c, checkedTry{c}}
	case untils:
		return struct {
			*checked
			checkedUntil
		}{c, checkedUntil{c}}
	}
	return c
}

// withReader is a checked lock that has readers.
func (c *checked) withReader(tries, untils bool) Mutex {
	switch {
	case tries && untils:
		return struct {
			*checked
			checkedReader
			checkedTry
			checkedUntil
		}{c, checkedReader{c}, checkedTry{c}, checkedUntil{c}}
	case tries:
		return struct {
			*checked
			checkedReader
			checkedTry
		}{c, checkedReader{c}, checkedTry{c}}
	case untils:
		return struct {
			*checked
			checkedReader
			checkedUntil
		}{c, checkedReader{c}, checkedUntil{c}}
	}
	return struct {
		*checked
		checkedReader
	}{c, checkedReader{c}}
}

// withTryReader is a checked lock whose readers may also try.
func (c *checked) withTryReader(tries, untils bool) Mutex {
	switch {
	case tries && untils:
		return struct {
			*checked
			checkedTryReader
			checkedTry
			checkedUntil
		}{c, checkedTryReader{checkedReader{c}}, checkedTry{c}, checkedUntil{c}}
	case tries:
		return struct {
			*checked
			checkedTryReader
			checkedTry
		}{c, checkedTryReader{checkedReader{c}}, checkedTry{c}}
	case untils:
		return struct {
			*checked
			checkedTryReader
			checkedUntil
		}{c, checkedTryReader{checkedReader{c}}, checkedUntil{c}}
	}
	return struct {
		*checked
		checkedTryReader
	}{c, checkedTryReader{checkedReader{c}}}
}
