//go:build go1.24

package harness

// Standing is where a process is between two events: which call it makes, or is
// about to choose, in which mode of package shm its passage is, and whether its
// giveUp has returned true. It is 0 if that is not known.
type Standing uint8

// Call is what a process does: it chooses the mode of its next passage, or makes
// the call by which it enters, or the one by which it leaves.
type Call uint8

// The calls.
const (
	Unknown Call = iota
	Chooses
	Enters
	Leaves
)

const (
	callMask  = 3
	modeShift = 2
	modeMask  = 7
	gave      = 1 << 5
	// recovering: the call by which the process enters is Recover.
	recovering = 1 << 6
)

func standing(call Call, mode uint8) Standing { return Standing(uint8(call) | mode<<modeShift) }

// Call returns what the process does.
func (s Standing) Call() Call { return Call(s & callMask) }

// Mode returns the number of the mode.
func (s Standing) Mode() uint8 { return uint8(s >> modeShift & modeMask) }

// GaveUp reports whether giveUp has returned true.
func (s Standing) GaveUp() bool { return s&gave != 0 }

// Recovers reports whether the process is in Recover.
func (s Standing) Recovers() bool { return s&recovering != 0 }

// Again returns where a process is before its first event, if passages begin with Recover.
func Again() Standing { return standing(Enters, 0) | recovering }

// First returns where a process is before its first event. Mixed: it chooses the
// mode of each passage.
func First(mixed bool) Standing {
	if mixed {
		return Standing(Chooses)
	}
	return standing(Enters, 0)
}
