package views

import (
	"fmt"
	"strings"

	"shmbench/check/internal/automaton"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/verdict"
	"shmbench/shm"
)

// Ask asks an invariant about the image of a state: wrong is its answer, and err is that it
// has none.
func (s *Views) Ask(inv shm.Invariant, image []uint64) (wrong, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *NeededError:
			err = p
		case misuse:
			err = fmt.Errorf("%s: %s", verdict.Invariant(inv.Name), string(p))
		default:
			err = fmt.Errorf("%s panics: %s", verdict.Invariant(inv.Name), OneLine(fmt.Sprint(p)))
		}
	}()
	if wrong = inv.Holds(view{s, image, 0}); wrong == nil && len(s.sys.Model.Classes()) > 0 {
		wrong = inv.Holds(view{s, image, furtherOn})
	}
	return wrong, nil
}

// furtherOn says how far on a lock with counts is asked about once more: so many times their modulus.
const furtherOn = 1 << 16

// OneLine returns a text with single blanks in place of line breaks.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// sectionOf is the section of a local state, with the entry section parted at
// the end of the doorway that the specification claims.
func (s *Views) sectionOf(l automaton.Local) shm.Section {
	switch l.Section {
	case interp.Remainder:
		return shm.Remainder
	case interp.Critical:
		return shm.Critical
	case interp.Exit:
		return shm.Exit
	}
	if s.doorway && l.Mark&automaton.PastDoorway == 0 {
		return shm.Doorway
	}
	return shm.Waiting
}
