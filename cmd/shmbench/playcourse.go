package main

import (
	"context"

	"shmbench/catalog"
	"shmbench/check/play"
	"shmbench/cmd/shmbench/course"
)

// coursePage is the exercises of the course, with the locks that they are about.
func coursePage(ctx context.Context) (*play.Page, error) {
	exercises, err := course.Exercises()
	if err != nil {
		return nil, err
	}
	page := &play.Page{Title: "Twelve exercises on mutual exclusion"}
	for _, e := range exercises {
		a, err := catalog.Get(e.Lock)
		if err != nil {
			return nil, err
		}
		lock, err := edited(ctx, a, e.Edits, e.N)
		if err != nil {
			return nil, err
		}
		lock.Document.Only(e.Memory)
		page.Documents = append(page.Documents, lock.Document)
		page.Exercises = append(page.Exercises, play.Exercise{Title: e.Title, Task: e.Task, Document: len(page.Documents) - 1, Memory: e.Memory, Goal: e.Goal, Why: e.Why})
	}
	return page, nil
}
