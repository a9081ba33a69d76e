package report

import (
	"fmt"
	"slices"
	"strings"

	"shmbench/shm"
)

// cited is the source of a lock, and how the lock differs from it.
func (c Spec) cited() string {
	s := c.Source
	source := strings.Join(slices.DeleteFunc([]string{s.Author, s.Title, s.Venue, s.Page}, func(w string) bool { return w == "" }), ", ")
	if s.Year != 0 {
		source += fmt.Sprintf(", %d", s.Year)
	}
	if c.Reconstructed {
		source += " (reconstructed from secondary sources)"
	}
	if c.Simplified != "" {
		source += " (simplified: without " + c.Simplified + ")"
	}
	return strings.TrimPrefix(source, ", ")
}

func (c Spec) modes() string {
	var modes []string
	for _, m := range c.Modes {
		modes = append(modes, m.String())
	}
	return strings.Join(modes, ", ")
}

func (c Spec) registers() string {
	var spaces []string
	for _, r := range c.Space {
		text := fmt.Sprintf("%s: %s of %s values", r.Name, r.Count, r.Values)
		if r.SingleWriter {
			text += ", each with one writer"
		}
		spaces = append(spaces, text)
	}
	return strings.Join(spaces, "; ")
}

// weakest are the registers on which a lock keeps each property.
func (c Spec) weakest() string {
	w := c.Claims.Weakest
	var weakest []string
	for _, x := range []struct {
		property string
		on       shm.RegisterModel
	}{{"exclusion", w.Exclusion}, {"deadlock freedom", w.DeadlockFree}, {"starvation freedom", w.StarvationFree}} {
		if x.on != "" {
			weakest = append(weakest, fmt.Sprintf("%s on %s", x.property, x.on))
		}
	}
	return strings.Join(weakest, ", ")
}

// localSpin names the memories in which the remote references of a passage are bounded.
func (c Spec) localSpin() string {
	var spin []string
	if c.Claims.LocalSpin.CC {
		spin = append(spin, "coherent caches")
	}
	if c.Claims.LocalSpin.DSM {
		spin = append(spin, "distributed memory")
	}
	return strings.Join(spin, ", ")
}

func (c Spec) lemmas() string {
	var lemmas []string
	for _, i := range c.Invariants {
		lemmas = append(lemmas, i.Name)
	}
	return strings.Join(lemmas, ", ")
}
