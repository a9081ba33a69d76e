package crashes

import (
	"shmbench/check/internal/analyse"
	"shmbench/check/internal/interp"
)

// Overtaking returns an overtaking whose beginning is the nearest, or nil if there is none. Bit is
// the mark of the states past the doorway. With keeps, the process that is passed may crash on the
// way and keeps its place; without, its place ends with a crash.
func (s *Space) Overtaking(bit int64, keeps bool) *analyse.Overtaking {
	o := analyse.Order{G: s.G, N: s.n, Idle: s.idle,
		Waits: func(id uint32, pid int) bool {
			l := s.sys.Local(s.G.State(id), pid)
			return l.Section == interp.Entry && l.Mark&bit != 0
		},
		Enters: func(from uint32, actor int, to uint32, pid int) bool {
			return actor == pid && s.enters(from, actor, to)
		},
	}
	if o.Keeps = o.Waits; keeps {
		o.Keeps = s.trying
	}
	return o.Overtaking()
}
