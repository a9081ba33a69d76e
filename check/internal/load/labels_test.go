package load

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLabels: a label is a number with perhaps a letter, or several; anything
// else after a line is a remark.
func TestLabels(t *testing.T) {
	const text = `package p

var (
	a = 1 // 3
	b = 2 // T1, T2
	c = 3 // 4a
	d = 4 // turn[j] is at j-1
	e = 5 // see 3
)
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", text, parser.ParseComments)
	require.NoError(t, err)
	require.Equal(t, map[int]string{4: "3", 5: "T1, T2", 6: "4a"}, labels(fset, f))
}
