package bakery

import (
	"fmt"

	"shmbench/shm"
)

// lamportProof is the source of the two lemmas, and of the states of number in the proof of
// the second.
var lamportProof = shm.Source{
	Author: "after Leslie Lamport",
	Title:  "Algorithms for Concurrent Distributed Systems: The Mutual Exclusion Problem",
	Venue:  "lecture notes",
	Year:   1974,
}

var lamportInvariants = []shm.Invariant{
	{Name: "lemma 1", Source: lamportProof, Holds: func(v shm.View) error {
		for i := range v.N() {
			if v.Section(i) == shm.Critical && v.Int("number", i) == 0 {
				return fmt.Errorf("process %d is in its critical section and number[%d] = 0", i, i)
			}
		}
		return nil
	}},
	{Name: "lemma 2", Source: lamportProof, Holds: func(v shm.View) error {
		for i := range v.N() {
			for k := range v.N() {
				if v.Section(i) != shm.Critical || k == i {
					continue
				}
				own, other := v.Int("number", i), v.Int("number", k)
				if other != 0 && (other < own || other == own && k < i) {
					return fmt.Errorf("process %d is in its critical section and (number[%d], %d) = (%d, %d) is before its own (%d, %d)", i, k, k, other, k, own, i)
				}
			}
		}
		return nil
	}},
	{Name: "number", Source: lamportProof, Holds: func(v shm.View) error {
		for i := range v.N() {
			chosen := v.At(i, "3") || v.Section(i) == shm.Waiting || v.Section(i) == shm.Critical
			if number := v.Int("number", i); chosen != (number > 0) {
				return fmt.Errorf("process %d has number[%d] = %d in its %v section", i, i, number, v.Section(i))
			}
		}
		return nil
	}},
	{Name: "choosing", Source: lamportProof, Holds: func(v shm.View) error {
		for i := range v.N() {
			if choosing := v.Bool("choosing", i); choosing != (v.Section(i) == shm.Doorway) {
				return fmt.Errorf("process %d has choosing[%d] = %v in its %v section", i, i, choosing, v.Section(i))
			}
		}
		return nil
	}},
}
