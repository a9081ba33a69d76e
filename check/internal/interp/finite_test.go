package interp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"
)

// loops are functions that change nothing. What follows a function's name says
// whether it comes back for certain.
const loops = `package p

func countsUp_ends(n int)          { for i := 0; i < n; i++ {} }
func countsDown_ends(n int)        { for i := n; i > 0; i-- {} }
func downByAddition_ends(n int)    { for i := n; i > 0; i += -1 {} }
func meets_ends(n int)             { for i := 0; i != n; i++ {} }
func meetsDown_ends(n int)         { for i := n; i != 0; i-- {} }
func mirrored_ends(n int)          { for i := 0; n > i; i++ {} }
func mirroredDown_ends(n int)      { for i := n; 0 < i; i-- {} }
func mirroredMeets_ends(n int)     { for i := 0; n != i; i++ {} }
func mirroredUpTo_ends()           { for i := 0; 10 >= i; i++ {} }
func mirroredDownTo_ends()         { for i := 10; 0 <= i; i-- {} }
func upTo_ends()                   { for i := 0; i <= 10; i++ {} }
func downTo_ends()                 { for i := 10; i >= 0; i-- {} }
func unsignedDownTo_ends()         { for i := uint8(9); i >= 1; i-- {} }
func narrowUpTo_ends()             { for i := int8(0); i <= 126; i++ {} }
func untilBreak_ends(n int)        { for i := 0; ; i++ { if i >= n { break } } }
func untilBreakDown_ends(n int)    { for i := n; ; i-- { if i <= 0 { break } } }
func untilEqual_ends(n int)        { for i := 0; ; i++ { if i == n { break } } }
func untilPast_ends()              { for i := 0; ; i++ { if i > 10 { break } } }
func afterItsStep_ends(n int)      { for i := 0; ; { if i++; i == n { break } } }
func overNumber_ends(n int)        { for range n {} }
func nested_ends(n int)            { for i := 0; i < n; i++ { for k := 0; k < i; k++ {} } }
func branches_ends(n int) (sum int) { for i := 0; i < n; i++ { if i&1 == 0 { sum += i } else { sum-- } }; return }
func twoWaysBack_ends(n int) {
	i := 0
top:
	if i < n {
		if i&1 == 0 { i++; goto top }
		i++
		goto top
	}
}
func calls_ends(n int) { for i := 0; i < n; i++ { countsUp_ends(i) } }
func noLoop_ends(n int) int { return n + 1 }

func forEver_()                    { for {} }
func waits_(b bool)                { for b {} }
func stepsOverIt_(n int)           { for i := 0; i < n; i += 2 {} }
func wrongWay_(n int)              { for i := 0; i < n; i-- {} }
func wrongWayDown_(n int)          { for i := 0; i > n; i++ {} }
func stepsOverWhatItMeets_(n int)  { for i := 0; i != n; i += 2 {} }
func perhapsGreatest_(n int)       { for i := 0; i <= n; i++ {} }
func perhapsLeast_(n int)          { for i := 0; i >= n; i-- {} }
func greatest_()                   { for i := uint8(0); i <= 255; i++ {} }
func greatestSigned_()             { for i := int8(0); i <= 127; i++ {} }
func leastUnsigned_()              { for i := uint(9); i >= 0; i-- {} }
func least_()                      { for i := int8(9); i >= -128; i-- {} }
func mirroredGreatest_()           { for i := uint8(0); 255 >= i; i++ {} }
func boundMoves_(n int)            { for i := 0; i < n; i++ { n++ } }
func perhapsNoStep_(n int, b bool) { for i := 0; i < n; { if b { i++ } } }
func upAndDown_(n int) {
	i := 0
top:
	if i < n {
		if i&1 == 0 { i++; goto top }
		i--
		goto top
	}
}
func byWhat_(n int)                { for i := 1; i < n; i += n {} }
func doubles_(n int)               { for i := 0; i < n; i *= 2 {} }
func float_()                      { for x := 0.0; x < 9; x++ {} }
func whileEqual_(n int)            { for i := 0; i == n; {} }
func waitsInside_(n int, b bool)   { for i := 0; i < n; i++ { for b {} } }
func waitsBeside_(n int, b bool) {
	i := 0
top:
	if b { goto top }
	if i < n { i++; goto top }
}
func ofAnother_(n, m int)          { for i, k := 0, 0; i < n; k++ { _ = m } }
func callsOne_(n int)              { for i := 0; i < n; i++ { forEver_() } }
func itself_(n int)                { itself_(n - 1) }
func leavesEarly_(n int)            { for i := 0; i < n; i++ { if i&64 != 0 { break } } } // not seen to
func forEverPerhaps_(b bool)       { if b { for {} } }
func forEverInside_(n int)         { for i := 0; i < n; i++ { for {} } }
func forEverInsidePerhaps_(n int)  { for i := 0; i < n; i++ { if i == 7 { for {} } } }
func panics_(n int)                { if n == 0 { panic(n) } }
func divides_(n int) int           { return 1 / n }
func writes_(p *int)               { *p = 1 }
`

// TestFinite tells the functions that do nothing and come back for certain, however
// long they take, from those that may not: no process waits for the first, and they
// need not be run.
func TestFinite(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", loops, parser.SkipObjectResolution)
	require.NoError(t, err)
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	types, err := new(types.Config).Check("p", fset, []*ast.File{f}, info)
	require.NoError(t, err)
	pkg := ssa.NewProgram(fset, 0).CreatePackage(types, []*ast.File{f}, info, false)
	pkg.Build()
	count := 0
	for name, member := range pkg.Members {
		if fn, ok := member.(*ssa.Function); ok && strings.Contains(name, "_") {
			assert.Equal(t, strings.HasSuffix(name, "_ends"), idle(fn, nil), name)
			count++
		}
	}
	require.Greater(t, count, 50)
}
