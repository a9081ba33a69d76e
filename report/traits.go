package report

import (
	"slices"

	"shmbench/report/rank"
	"shmbench/shm"
)

// Traits are what distinguishes locks that are as fast as one another, by their specifications.
func Traits(specs []shm.Algorithm) []rank.Trait {
	trait := func(one, many string, has func(shm.Algorithm) bool) rank.Trait {
		return rank.Trait{One: one, Many: many, Has: func(name string) bool {
			return slices.ContainsFunc(specs, func(a shm.Algorithm) bool { return a.Name == name && has(a) })
		}}
	}
	return []rank.Trait{
		trait("is first-come-first-served", "are first-come-first-served", func(a shm.Algorithm) bool { return a.Claims.FCFS }),
		trait("is starvation-free", "are starvation-free", func(a shm.Algorithm) bool { return a.Claims.StarvationFree }),
		trait("sleeps while it waits", "sleep while they wait", func(a shm.Algorithm) bool { return a.Class.Sleeps() }),
	}
}
