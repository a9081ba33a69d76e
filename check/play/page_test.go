package play_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check/play"
)

// TestJSON: what a page plays is found in its text, and in no other text.
func TestJSON(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	written := play.Page{Title: "a lock", Documents: []*play.Document{{Lock: "</script>", N: 2}}}
	require.NoError(t, written.Write(&page))
	text, ok := play.JSON([]byte(page.String()))
	require.True(t, ok)
	var read struct{ Documents []struct{ Lock string } }
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, "</script>", read.Documents[0].Lock)
	_, ok = play.JSON([]byte("<!doctype html><script>1</script>"))
	require.False(t, ok)
}
