package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"shmbench/catalog/mutants"
	"shmbench/check"
	"shmbench/internal/build/edit"
	"shmbench/shm"
)

// addEdit is the flag -edit.
func (c *checkFlags) addEdit(text string) error {
	one, err := edit.Parse(text)
	c.edits = append(c.edits, one)
	return err
}

// oneEdited returns the one of the algorithms that -edit changes.
func (c *checkFlags) oneEdited(algorithms []shm.Algorithm) ([]shm.Algorithm, error) {
	switch {
	case !c.selection.given():
		return nil, errors.New("-edit changes one lock: give its name, as in shmbench check peterson/peterson -edit 'delete 2'")
	case len(algorithms) != 1:
		return nil, fmt.Errorf("-edit changes one lock, and -alg %s matches %d: give the whole name of one", c.selection.alg, len(algorithms))
	}
	return algorithms, nil
}

// checkEdited checks a copy of a lock with the edits made, against the lock's own
// specification.
func (c *checkFlags) checkEdited(ctx context.Context, a shm.Algorithm) error {
	source, a, err := c.openEdited(ctx, a)
	if err != nil {
		return err
	}
	_, err = source.Algorithms(ctx, "All", []shm.Algorithm{a}, c.o)
	return err
}

// openEdited reads a copy of a lock with the edits made, and returns its specification.
func (c *checkFlags) openEdited(ctx context.Context, a shm.Algorithm) (*check.Source, shm.Algorithm, error) {
	program, a, err := editedProgram(ctx, a, c.edits)
	if err != nil {
		return nil, a, err
	}
	for _, one := range c.edits {
		a.Title += ", edited: " + one.String()
	}
	source, err := check.OpenEdited(ctx, program)
	return source, a, err
}

// editedProgram returns a program that has a copy of a lock with the edits made, and the
// specification of the copy.
func editedProgram(ctx context.Context, a shm.Algorithm, edits []edit.Edit) (*edit.Program, shm.Algorithm, error) {
	tree, err := edit.Open(ctx)
	if err != nil {
		return nil, a, err
	}
	as := "edited/" + strings.ReplaceAll(a.Name, "/", "-")
	program, err := tree.Program("mutants/edited", []edit.Lock{mutants.Copy(a, as, edits)}, "")
	a.Name, a.Invariants = as, nil
	return program, a, err
}

// addWitness is the flag -witness.
func (c *checkFlags) addWitness(bound string) error {
	c.o.Witness = append(c.o.Witness, bound)
	return check.CheckWitness(bound)
}
