package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzIntList(f *testing.F) {
	f.Add("1,2,4")
	f.Add(" 3,,")
	f.Add("-1")
	f.Fuzz(func(t *testing.T, s string) {
		var l IntList
		if l.Set(s) == nil {
			var again IntList
			require.NoError(t, again.Set(l.String()))
			require.Equal(t, l, again)
		}
	})
}

func FuzzPercentage(f *testing.F) {
	f.Add("5%")
	f.Add("NaN%")
	f.Add("-0%")
	f.Fuzz(func(t *testing.T, s string) {
		var p Percentage
		if p.Set(s) == nil {
			require.True(t, p.Part >= 0, "%v", p)
		}
	})
}
