package explore

// Kind is what an actor is.
type Kind uint8

// The kinds of actors. A process makes its next access; a store buffer moves its oldest
// store to memory.
const (
	Process Kind = iota
	Buffer
	CrashOf // of the process, or of all processes
)

// Actor is whose step it is: a process or its store buffer, with the number of one of
// the outcomes that the step may have.
type Actor struct {
	Kind         Kind
	Pid, Outcome int
}

// Actors numbers the actors of N processes. The processes come first, and then the
// store buffers, if Parties is 2*N; the same again for each further outcome. Count is
// how many actors there are. With Crashing, crashes come in place of the buffers.
type Actors struct {
	N, Parties, Count int
	Crashing          bool
}

// Of returns the actor with a number.
func (a Actors) Of(number int) Actor {
	party, outcome := number%a.Parties, number/a.Parties
	switch {
	case party >= a.N && a.Crashing:
		return Actor{CrashOf, party - a.N, outcome}
	case party >= a.N:
		return Actor{Buffer, party - a.N, outcome}
	}
	return Actor{Process, party, outcome}
}

// Number returns the number of an actor.
func (a Actors) Number(actor Actor) int {
	party := actor.Pid
	if actor.Kind != Process {
		party += a.N
	}
	return party + actor.Outcome*a.Parties
}
