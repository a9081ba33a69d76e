// Package course has the exercises of docs/teaching.md. Its tests write that page: the order in
// which to read the locks, the new idea of each, and for the first of them the fault of the lock
// when a line is missing. They make every change in a copy of the lock's source, check it, and
// compare.
package course

import (
	_ "embed"
	"strconv"

	"shmbench/internal/build/edit"
)

//go:embed exercises.txt
var exercisesText string

// Exercise is a lock to play, with an edit or without, and what to reach.
type Exercise struct {
	Title, Lock string
	Edits       []edit.Edit
	N           int
	// Memory and Goal are as package check/play has them.
	Memory, Goal string
	Task, Why    string
}

// Exercises returns the exercises in the order of the course.
func Exercises() ([]Exercise, error) { return parseExercises("exercises.txt", exercisesText) }

func parseExercises(file, text string) (all []Exercise, err error) {
	blocks, err := edit.Blocks(file, text, map[string][]string{"exercise": {"lock", "edit", "n", "memory", "goal", "task", "why"}})
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		e := Exercise{Title: b.Get("exercise"), Lock: b.Get("lock"), N: 2, Memory: b.Get("memory"), Goal: b.Get("goal"), Task: b.Get("task"), Why: b.Get("why")}
		if b.Get("edit") != "" {
			if e.Edits, err = b.Edits(); err != nil {
				return nil, err
			}
		}
		if n := b.Get("n"); n != "" {
			if e.N, err = strconv.Atoi(n); err != nil {
				return nil, b.Errorf("n", "%q: expected a number of processes", n)
			}
		}
		if e.Memory == "" {
			e.Memory = "sc"
		}
		for _, field := range []string{"lock", "goal", "task", "why"} {
			if b.Get(field) == "" {
				return nil, b.Errorf("exercise", "expected a field %q", field)
			}
		}
		all = append(all, e)
	}
	return all, nil
}
