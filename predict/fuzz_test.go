package predict

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever is read as a machine is one that runs, and is read again as it was written;
// anything else is refused in one line.
func FuzzRead(f *testing.F) {
	all, err := Presets()
	require.NoError(f, err)
	for _, m := range all {
		var b bytes.Buffer
		require.NoError(f, m.Write(&b))
		f.Add(b.String())
	}
	f.Add(`{"name":"0","topology":"threads=1","rmw_ns":1,"hit_ns":1,"gap_ns":1,"policy":"nearest","sibling_work":1,"sibling_poll":1}`)
	f.Add(`{"name": "x", "topology": "cores=0", "transfer_ns": {"cores": -1}}`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Read(strings.NewReader(text))
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		_, err = NewEngine(m, 1)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, m.Write(&b))
		again, err := Read(&b)
		require.NoError(t, err)
		require.Equal(t, m.Processors(), again.Processors())
	})
}
