package oracle

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func nothing() {}

func TestWhole(t *testing.T) {
	var s Section
	for pid := range 3 {
		require.NoError(t, s.Pass(pid, nothing))
	}
	require.NoError(t, s.Total(3))
}

// Each oracle sees the overlap that it is for.
func TestOverlaps(t *testing.T) {
	for _, c := range []struct {
		oracle  string
		before  func(*Section)
		between func(*Section)
	}{
		{Owner, func(s *Section) { s.owner = 1 + 1 }, func(*Section) {}},
		{Owner, func(*Section) {}, func(s *Section) { s.owner = 1 + 1 }},
		{Owner, func(*Section) {}, func(s *Section) { s.owner = 0 }},
		{Words, func(s *Section) { s.words[words-1] = 1 }, func(*Section) {}},
		{Words, func(*Section) {}, func(s *Section) { s.words[0] = 5 }},
	} {
		var s Section
		c.before(&s)
		err := s.Pass(0, func() { c.between(&s) })
		var o *Overlap
		require.ErrorAs(t, err, &o)
		require.Equal(t, c.oracle, o.Oracle)
	}
	var s Section
	require.NoError(t, s.Pass(0, nothing))
	require.ErrorContains(t, s.Total(2), "counts: the processes made 2 passages, the state remembers 1")
}
