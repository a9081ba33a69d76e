package interp

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlaces: each access has its line, the innermost label, and the innermost lock that it is
// made in.
func TestPlaces(t *testing.T) {
	m := built(t, "NewNested", 1)
	names := m.Names()
	var got []string
	sites := map[string]int{}
	st, err := m.Start(0)
	for len(got) < 9 {
		require.NoError(t, err)
		require.Nil(t, st.Fault)
		pos, label := m.Place(st)
		_, line := m.Prog.Place(pos)
		got = append(got, fmt.Sprintf("%s %s, line %d, label %q, in %q: %s", st.Section, names.Cell(st.Access.At), line, label, names.whole[m.Nest(st)], m.Where(st)))
		sites[m.Stack(st)]++
		_, result := st.Access.Apply(Num(0))
		st, err = m.Resume(0, st, result)
	}
	const file = "check/internal/interp/testdata/machines/places.go"
	require.Equal(t, []string{
		`remainder first.w, line 9, label "7", in "first": ` + file + `:9: (*Node).Lock`,
		`entry second.w, line 9, label "7", in "second": ` + file + `:9: (*Node).Lock`,
		`entry turn, line 35, label "5", in "": ` + file + `:35: (*Nested).inner`,
		`entry turn, line 27, label "", in "": ` + file + `:27: (*Nested).Lock`,
		`entry turn, line 30, label "", in "": ` + file + `:30: (*Nested).Lock`,
		`entry second.w, line 12, label "3", in "second": ` + file + `:12: (*Node).Unlock`,
		`critical first.w, line 12, label "", in "first": ` + file + `:12: (*Node).Unlock`,
		`remainder first.w, line 9, label "7", in "first": ` + file + `:9: (*Node).Lock`,
		`entry second.w, line 9, label "7", in "second": ` + file + `:9: (*Node).Lock`,
	}, got)
	require.Len(t, sites, 7, "the first two are come to again")

	fault := &State{Fault: &Fault{Pos: 7}}
	pos, label := m.Place(fault)
	require.EqualValues(t, 7, pos)
	require.Empty(t, label)
}
