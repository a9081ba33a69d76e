// Package bounds compares bounds that publications state with the claims of specifications,
// which package check confirms for few processes. docs/bounds.md is made of it.
package bounds

import (
	"fmt"
	"slices"
	"strings"

	"shmbench/catalog"
	"shmbench/shm"
)

// Of is the kind of quantity that a bound limits.
type Of string

// The quantities.
const (
	Coherent    Of = "RMRs, coherent caches"
	Distributed Of = "RMRs, distributed memory"
	Bypass      Of = "bypass"
	Order       Of = "first-come-first-served"
	Bits        Of = "bits"
	Registers   Of = "registers"
	Starvation  Of = "starvation freedom"
)

// Bound is a bound of a publication.
type Bound struct {
	Lock      string
	Of        Of
	Published string
	// At is what is published for n processes; nil for a growth, an order or a freedom.
	At func(n int) int
	// Explained says why ours is another; empty where both agree.
	Explained string
}

// Compared is a published bound beside ours.
type Compared struct {
	Bound
	Ours string
	In   string // the publication, which "shmbench list NAME" has in full
	// Agrees: ours is the same, or no weaker where the publication states a growth.
	Agrees bool
}

// All returns every bound: the remote memory references that catalog cites, and the others.
func All() ([]Compared, error) {
	var all []Compared
	for _, a := range catalog.All() {
		if a.VariantOf != "" {
			continue
		}
		for _, b := range []Bound{
			{Lock: a.Name, Of: Coherent, Published: a.PublishedRMR.CC},
			{Lock: a.Name, Of: Distributed, Published: a.PublishedRMR.DSM},
		} {
			if b.Published != "" {
				all = append(all, compare(a, b))
			}
		}
	}
	for _, b := range others {
		a, err := catalog.Get(b.Lock)
		if err != nil {
			return nil, err
		}
		all = append(all, compare(a, b))
	}
	return all, nil
}

// compare compares a bound with the specification of its lock.
func compare(a shm.Algorithm, b Bound) Compared {
	c := Compared{Bound: b, In: citation(a.Source)}
	same := func(at func(n int) int) bool {
		for n := max(a.MinProcs, 2); n <= min(a.MaxProcs, 8); n++ {
			if at(n) != b.At(n) {
				return false
			}
		}
		return true
	}
	switch b.Of {
	case Coherent:
		c.Ours, c.Agrees = references(a, shm.WriteBack, a.Claims.LocalSpin.CC, b.Published)
	case Distributed:
		c.Ours, c.Agrees = references(a, shm.Distributed, a.Claims.LocalSpin.DSM, b.Published)
	case Bypass:
		c.Ours, c.Agrees = a.Claims.Bypass.String(), same(a.Claims.Bypass.Of)
		if a.MaxProcs == 2 {
			c.Ours += fmt.Sprintf(" = %d for n = 2, the only n > 1", a.Claims.Bypass.Of(2))
		}
	case Order:
		c.Ours, c.Agrees = yes(a.Claims.FCFS), yes(a.Claims.FCFS) == b.Published
	case Starvation:
		c.Ours, c.Agrees = yes(a.Claims.StarvationFree), yes(a.Claims.StarvationFree) == b.Published
	case Registers:
		c.Ours, c.Agrees = space(a.Space), same(a.Space.Count)
	case Bits:
		binary := !slices.ContainsFunc(a.Space, func(r shm.Registers) bool { return r.Values.Of(2) != 2 })
		c.Ours, c.Agrees = space(a.Space), binary && same(a.Space.Count)
	}
	return c
}

// references compares a published growth with a formula. A lock with bounded references and no
// formula for every n has one that was found for a few n.
func references(a shm.Algorithm, m shm.RMRModel, bounded bool, published string) (ours string, agrees bool) {
	f := a.Claims.References.In(m)
	switch {
	case f == nil && !bounded:
		return shm.RMRUnbounded, published == shm.RMRUnbounded
	case f == nil:
		return "", false
	case f.Growth() == shm.UnknownGrowth:
		return f.String(), published != shm.RMRUnbounded
	}
	most := slices.Index(shm.Growths, growth(published))
	grows := slices.Index(shm.Growths, f.Growth())
	return f.String(), most >= 0 && grows <= most && (published == shm.RMRUnbounded) == (f.Growth() == shm.NoBound)
}

// growth is a published growth as Formula has it.
func growth(published string) shm.Growth {
	return shm.Growth(strings.TrimSuffix(strings.Replace(published, "Θ", "O", 1), " amortized"))
}

// citation is a source without the title.
func citation(s shm.Source) string {
	return fmt.Sprintf("%s, %s, %d", s.Author, s.Venue, s.Year) + s.Pages()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// space lists the registers of a lock.
func space(s shm.Space) string {
	var all []string
	for _, r := range s {
		all = append(all, fmt.Sprintf("%v %s of %v values", r.Count, r.Name, r.Values))
	}
	return strings.Join(all, ", ")
}
