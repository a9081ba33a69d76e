package document

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFormat: the format of a document names the program and the verb that write it.
func TestFormat(t *testing.T) {
	require.Equal(t, "prog run 1", Format("prog", "run"))
	for verb, want := range map[string]string{"list": List, "check": Check, "check every": EveryN, "check -trace": Trace, "stress": Stress, "lockstep": Lockstep, "play": Play} {
		require.Equal(t, want, Format("shmbench", verb))
	}
}
