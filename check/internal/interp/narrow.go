package interp

import (
	"fmt"
	"go/types"
)

// With words of fewer bits than Go has, a lock is another program where it takes a word apart: a
// shift, a constant or a conversion then means something else. Such a lock is refused, because what
// it does with narrow words says nothing of what it does with those of Go.

// narrowed reports whether a type has fewer bits than Go has.
func (m *Machine) narrowed(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && m.word[b.Kind()] != 0
}

// word returns a number as a word of a type. A number that a narrowed type does not hold, neither as
// it is nor as one below 0, cannot be modeled.
func (r *run) word(to *types.Basic, n Num) Value {
	width, signed := r.m.bits(to), n
	if to.Info()&types.IsUnsigned != 0 {
		signed = truncate(n, -8*int(r.m.Prog.Sizes.Sizeof(to)))
	}
	if r.m.narrowed(to) && truncate(n, width) != n && truncate(signed, -width) != signed {
		return r.unmodeled(fmt.Sprintf("uses the number %d, which a word of %d bits does not hold", n, r.m.word[to.Kind()]))
	}
	return truncate(n, width)
}

// converted returns a number that is converted to another integer type. A narrowed word that loses
// bits, or gets a sign, cannot be modeled.
func (r *run) converted(from types.Type, to *types.Basic, n Num) Value {
	size := r.m.Prog.Sizes.Sizeof
	switch narrow := r.m.narrowed(from); {
	case narrow && !r.m.narrowed(to) && (size(to) < size(from) || size(to) == size(from) && to.Info()&types.IsUnsigned == 0):
		return r.unmodeled(fmt.Sprintf("converts a %s to a %s", typeString(from), to.Name()))
	case !narrow:
		return r.word(to, n)
	}
	return truncate(n, r.m.bits(to))
}
