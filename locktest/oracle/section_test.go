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

// Who looks sees what is torn when it comes, and what is written meanwhile.
func TestLook(t *testing.T) {
	for _, c := range []struct {
		before, between func(*Section)
		says            string
	}{
		{func(*Section) {}, func(*Section) {}, ""},
		{func(s *Section) { s.owner = 4 + 1 }, func(*Section) {}, "which only reads, process 4 had not left"},
		{func(*Section) {}, func(s *Section) { s.owner = 4 + 1 }, "which only reads, process 4 entered"},
		{func(s *Section) { s.words[words-1] = 1 }, func(*Section) {}, "which only reads, word 23 was 1 where word 0 had been 0"},
		{func(*Section) {}, func(s *Section) { s.Pass(1, nothing) }, "which only reads, word 0 was 1 where word 0 had been 0"},
	} {
		var s Section
		c.before(&s)
		err := s.Look(2, func() { c.between(&s) })
		if c.says == "" {
			require.NoError(t, err)
			require.NoError(t, s.Total(0))
			continue
		}
		require.ErrorContains(t, err, "in the critical section of process 2, "+c.says)
	}
}

// Each oracle sees the overlap that it is for.
func TestOverlaps(t *testing.T) {
	for _, c := range []struct {
		oracle  string
		before  func(*Section)
		between func(*Section)
		says    string
	}{
		{Owner, func(s *Section) { s.owner = 4 + 1 }, func(*Section) {}, "process 4 had not left"},
		{Owner, func(*Section) {}, func(s *Section) { s.owner = 4 + 1 }, "process 4 entered"},
		{Owner, func(*Section) {}, func(s *Section) { s.owner = 0 }, "another process entered and left"},
		{Words, func(s *Section) { s.words[words-1] = 1 }, func(*Section) {}, "word 23 was 1 where word 0 was 0"},
		{Words, func(*Section) {}, func(s *Section) { s.words[0] = 5 }, "word 0 became 5 after it had been set to 1"},
	} {
		var s Section
		c.before(&s)
		err := s.Pass(0, func() { c.between(&s) })
		var o *Overlap
		require.ErrorAs(t, err, &o)
		require.Equal(t, c.oracle, o.Oracle)
		require.Equal(t, c.says, o.Detail)
	}
	var s Section
	require.NoError(t, s.Pass(0, nothing))
	require.ErrorContains(t, s.Total(2), "counts: the processes made 2 passages, the state remembers 1")
}
