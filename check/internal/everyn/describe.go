package everyn

import (
	"fmt"
	"strings"
)

// describe says in words what a view has.
func (t *Template) describe(v View) string {
	lay := t.layout()
	var parts []string
	for i, r := range t.Shared {
		parts = append(parts, r.Name+" = "+t.value(r, v[i]))
	}
	for m := range lay.members(v) {
		begin := lay.member(m)
		at := t.Locations[v[begin]]
		text := fmt.Sprintf("%s is before line %s", called(refTo(m)), at.Name)
		if at.Critical {
			text += " in the critical section"
		}
		if at.Cursor {
			text += " for " + called(v[begin+1])
		}
		for i, r := range t.Own {
			text += fmt.Sprintf(", %s = %s", r.Name, t.value(r, v[begin+2+i]))
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// step says in words which step a member makes from a view.
func (t *Template) step(v View, m int) string {
	return fmt.Sprintf("%s takes the step of line %s from the view: %s", called(refTo(m)), t.Locations[v[t.layout().member(m)]].Name, t.describe(v))
}

func (t *Template) value(r Register, b byte) string {
	if b < refBase {
		return r.Constants[b]
	}
	return called(b)
}

// called names a process: those of the view are p0, p1 and so on.
func called(ref byte) string {
	at := int(ref - refBase)
	if at%2 == 1 {
		return fmt.Sprintf("p%d", at/2)
	}
	if at == 0 {
		return "a process below p0"
	}
	return fmt.Sprintf("a process after p%d", at/2-1)
}
