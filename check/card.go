package check

import (
	"fmt"
	"reflect"
	"shmbench/check/internal/source"
	"shmbench/check/internal/verdict"
	"shmbench/shm"
	"slices"
)

// compare holds the report against the card, as far as one n can tell.
func (c specification) compare(r *Report, o Options) {
	if c.card == nil {
		return
	}
	card := c.card
	for _, p := range append(r.basics(), r.claimed(card)...) {
		if p.v == Violated {
			r.lose(p.name, "%s is violated", p.name)
		}
	}
	if !r.Exhausted {
		return
	}
	if card.Claims.Doorway != "" && r.DoorwayWaitFree == Violated {
		r.lose(verdict.WaitFreeDoorway, "the doorway up to line %s is not wait-free", card.Claims.Doorway)
	}
	if want := card.Claims.Bypass.Of(r.N); r.otherBypass(card.Claims.Bypass, *r.Bypass, o) {
		r.lose(ifMore(verdict.BoundedBypass, *r.Bypass, want), "the bypass is %s, the card says %s", bound(*r.Bypass), bound(want))
	}
	if r.Placed != nil && r.N > 1 {
		if want, got := card.Claims.Placed.Of(r.N), *r.Placed; want != got && !(r.Passages > 0 && got < want) {
			r.lose(ifMore(verdict.PlacedBypass, got, want), "behind line %s a process is passed %s times, the card says %s", card.Claims.Place, bound(got), bound(want))
		}
	}
	for _, l := range localSpins {
		if r.N > 1 && r.RMR != nil && l.claimed(card.Claims.LocalSpin) && l.of(r.RMR) == Violated {
			r.lose(l.name, "%s is violated", l.name)
		}
	}
	if len(r.has) > 1 {
		return // registers are those of all modes
	}
	if !reflect.ValueOf(card.Claims.Mixed).IsZero() && len(r.has) == 1 {
		r.lose("", "the card claims something of mixed passages, and the lock has Lock and Unlock only")
	}
	c.compareRegisters(r, o, func(format string, args ...any) { r.lose("", format, args...) })
}

// lose adds a disagreement with the card, and the name of the claim that does not hold.
// The name is "" where nothing that the card claims is lost.
func (r *Report) lose(claim, format string, args ...any) {
	says := fmt.Sprintf(format, args...)
	if claim != "" {
		r.lost = append(r.lost, Loss{claim, says})
	}
	r.Disagreements = append(r.Disagreements, says)
}

// Loss is a claim of the card that does not hold, and a sentence that says so.
type Loss struct{ Claim, Says string }

// Lost returns the claims of the card that do not hold.
func (r *Report) Lost() []Loss { return r.lost }

// Loss returns how a claim of the card is lost, or nil.
func (r *Report) Loss(claim string) *Loss {
	if i := slices.IndexFunc(r.lost, func(l Loss) bool { return l.Claim == claim }); i >= 0 {
		return &r.lost[i]
	}
	return nil
}

// ifMore returns the name of a claim if a bound is greater than the card says.
func ifMore(claim string, got, want int) string {
	if want == shm.Unbounded || got != shm.Unbounded && got <= want {
		return ""
	}
	return claim
}

// otherBypass reports whether a bypass is another than the card says. One process
// alone is passed by nobody, whatever it says.
func (r *Report) otherBypass(says shm.Formula, got int, o Options) bool {
	want := says.Of(r.N)
	return r.N > 1 && want != got && !(want == shm.Unbounded && (o.Passages > 0 || r.atLimit(got)))
}

// compareRegisters holds the registers of a report, and what is done to them, against
// the card.
func (c specification) compareRegisters(r *Report, o Options, disagree func(string, ...any)) {
	if want := c.card.Class; want&shm.Opaque == 0 && r.N > 1 && want != r.class && !(c.placed && want|r.class == want) {
		disagree("the class is %s, the card says %s", r.Class, want)
	}
	for _, k := range r.Registers {
		if i := slices.IndexFunc(c.card.Space, func(s shm.Registers) bool { return s.Name == k.Name }); k.Unbounded && i >= 0 && c.card.Space[i].Values.Of(r.N) != shm.Unbounded {
			r.lost = append(r.lost, Loss{verdict.BoundedRegisters, k.Name + " is unbounded"})
		}
	}
	for _, d := range r.spaceDisagreements(c.card.Space, o.Passages) {
		disagree("%s", d)
	}
}

// atLimit reports whether a bypass may be what the limit of passages allows.
func (r *Report) atLimit(bypass int) bool {
	return r.Passages > 0 && r.N > 1 && bypass >= (r.N-1)*r.Passages
}

func bound(b int) string {
	if b == shm.Unbounded {
		return "unbounded"
	}
	return fmt.Sprint(b)
}

// SpaceDisagreements says where the registers of the report are not those of a card.
func (r *Report) SpaceDisagreements(card shm.Space) []string { return r.spaceDisagreements(card, 0) }

// spaceDisagreements is SpaceDisagreements where passages were limited by request; 0
// is no such limit.
func (r *Report) spaceDisagreements(card shm.Space, passages int) []string {
	var found []string
	disagree := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	if r.N < 2 { // a process alone need not touch everything
		return nil
	}
	listed := map[string]bool{}
	for _, want := range card {
		listed[want.Name] = true
		i := slices.IndexFunc(r.Registers, func(k Registers) bool { return k.Name == want.Name })
		if i < 0 && want.Count.Of(r.N) == 0 {
			continue
		}
		if i < 0 {
			disagree("no register called %s is accessed", want.Name)
			continue
		}
		got := r.Registers[i]
		if n := want.Count.Of(r.N); n != got.Count {
			disagree("there are %d registers %s, the card says %d", got.Count, got.Name, n)
		}
		if want.SingleWriter && !got.SingleWriter {
			disagree("%s has more than one writer, the card says one", got.Name)
		}
		switch values := want.Values.Of(r.N); {
		// Within a limit of passages a register that takes more values than there are
		// of these may grow, though it has not grown enough to be the reason of the limit.
		case values == shm.Unbounded && !got.Unbounded && passages == 0 && (r.Passages == 0 || got.Values <= r.Passages):
			disagree("%s takes %d values, the card says it is unbounded", got.Name, got.Values)
		case values != shm.Unbounded && got.Unbounded:
			disagree("%s is unbounded, the card says it takes %d values", got.Name, values)
		// Nor need one that takes so many have taken all of a bounded range.
		case values != shm.Unbounded && values != got.Values && !(r.Passages > 0 && got.Values > r.Passages && got.Values < values):
			disagree("%s takes %d values, the card says %d", got.Name, got.Values, values)
		}
	}
	for _, k := range r.Registers {
		if !listed[k.Name] {
			disagree("the card does not list the register %s", k.Name)
		}
	}
	return found
}

// specification is what a report is compared with.
type specification struct {
	card  *shm.Algorithm // nil if there is none
	mixed bool           // it is of passages in all modes
	// placed: it was said where the processes are. Then few of them may be on too few
	// nodes to need all of a lock for several, and to show what a card does not claim
	// for more.
	placed bool
}

// specificationOf returns what a report of a lock is compared with.
func specificationOf(l *source.Lock) specification {
	return specification{l.Card, l.Mixed, len(l.Origin.Paths) > 0}
}

// weakRegisters adds to the last report which registers have a single writer for
// every n that was checked, where the card does not say so.
func (c specification) weakRegisters(reports []*Report) {
	last := reports[len(reports)-1]
	for _, k := range c.card.Space {
		if !k.SingleWriter && !slices.ContainsFunc(reports, func(r *Report) bool { return r.N > 1 && !r.singleWriter(k.Name) }) {
			last.Disagreements = append(last.Disagreements,
				fmt.Sprintf("the card is too weak: %s has a single writer for every n that was checked", k.Name))
		}
	}
}

func (r *Report) singleWriter(name string) bool {
	return slices.ContainsFunc(r.Registers, func(k Registers) bool { return k.Name == name && k.SingleWriter })
}
