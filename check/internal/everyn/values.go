package everyn

import (
	"fmt"
	"maps"
	"slices"
)

// group is a register of the template: one cell of the source, or an array with a cell for
// each process.
type group struct {
	name      string
	place     Place // AtShared or AtOwn
	number    int   // in Template.Shared or Template.Own
	constants []string
	ids       bool
	offset    int // a number is the id plus offset
}

// value is a constant, or an id if constant is -1.
type value struct{ constant, id int }

// on is the case of a rule for the value, if process self reads it.
func (v value) on(self int) int {
	switch {
	case v.constant >= 0:
		return v.constant
	case v.id == self:
		return OwnID
	}
	return OtherID
}

// groups finds the registers of the template for the automata that were learned for several n.
func groups(all []*learned) (map[string]*group, error) {
	out := map[string]*group{}
	indices := map[string]map[int][]int{} // by base and n
	for _, l := range all {
		for _, c := range l.cells {
			if indices[c.base] == nil {
				indices[c.base] = map[int][]int{}
			}
			indices[c.base][l.n] = append(indices[c.base][l.n], c.index)
		}
	}
	delete(indices, "") // an access to nothing
	for _, base := range slices.Sorted(maps.Keys(indices)) {
		of := indices[base]
		own, fixed := true, true
		for _, l := range all {
			slices.Sort(of[l.n])
			fixed = fixed && slices.Equal(of[l.n], of[all[0].n])
			own = own && len(of[l.n]) == l.n && of[l.n][0] == 0 && of[l.n][l.n-1] == l.n-1
		}
		switch {
		case own && !fixed:
			out[base] = &group{name: base, place: AtOwn}
		case fixed:
			for _, index := range of[all[0].n] {
				name := nameOfCell(base, index)
				out[name] = &group{name: name, place: AtShared}
			}
		default:
			return nil, undecided("the cells of register %s are neither one for each process nor the same for every n", base)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(out)) {
		g := out[name]
		if err := g.values(all, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func nameOfCell(base string, index int) string {
	if index < 0 {
		return base
	}
	return fmt.Sprintf("%s[%d]", base, index)
}

// groupOf returns the group of a cell.
func groupOf(all map[string]*group, c cell) *group {
	if g := all[c.base]; g != nil {
		return g
	}
	return all[nameOfCell(c.base, c.index)]
}

// values finds which values of a group are ids.
func (g *group) values(all []*learned, groups map[string]*group) error {
	texts := map[int][]string{} // by n
	numbers := map[int]map[int]bool{}
	to := map[string]bool{} // to what pointers with an index lead
	for _, l := range all {
		numbers[l.n] = map[int]bool{}
		for _, c := range l.cells {
			if groupOf(groups, c) != g {
				continue
			}
			for _, v := range c.values {
				switch v.kind {
				case number:
					numbers[l.n][v.number] = true
				case pointer:
					to[v.text] = true
					continue
				}
				texts[l.n] = append(texts[l.n], v.text)
			}
		}
		slices.Sort(texts[l.n])
		texts[l.n] = slices.Compact(texts[l.n])
	}
	first := texts[all[0].n]
	same := !slices.ContainsFunc(all, func(l *learned) bool { return !slices.Equal(texts[l.n], first) })
	switch {
	case len(to) > 1:
		return undecided("register %s has pointers into more than one array", g.name)
	case same:
		g.constants, g.ids = first, len(to) == 1
		return nil
	case len(to) == 1:
		return undecided("register %s has pointers and other values that depend on n", g.name)
	}
	for _, offset := range []int{0, 1} {
		if rest, ok := withoutIDs(all, numbers, texts, offset); ok {
			g.constants, g.ids, g.offset = rest, true, offset
			return nil
		}
	}
	return undecided("the values of register %s are neither ids nor the same for every n", g.name)
}

// withoutIDs returns the values that are left without the ids, if all ids with this offset are
// among the values, and the same values are left for every n.
func withoutIDs(all []*learned, numbers map[int]map[int]bool, texts map[int][]string, offset int) (rest []string, ok bool) {
	for i, l := range all {
		left := slices.Clone(texts[l.n])
		for id := range l.n {
			if !numbers[l.n][id+offset] {
				return nil, false
			}
			left = slices.DeleteFunc(left, func(t string) bool { return t == fmt.Sprint(id+offset) })
		}
		if i > 0 && !slices.Equal(left, rest) {
			return nil, false
		}
		rest = left
	}
	return rest, true
}

// of returns a value of a group for n processes.
func (g *group) of(n int, v raw) (value, error) {
	if v.kind == pointer && g.ids && v.number < n {
		return value{-1, v.number}, nil
	}
	if i := slices.Index(g.constants, v.text); i >= 0 {
		return value{i, noID}, nil
	}
	if id := v.number - g.offset; v.kind == number && g.ids && id >= 0 && id < n {
		return value{-1, id}, nil
	}
	return value{}, undecided("register %s holds %s at n=%d, which is neither an id nor a value that it has for every n", g.name, v.text, n)
}
