package source

import (
	"go/types"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/catalog"
	"shmbench/check/internal/explore"
	"shmbench/check/internal/interp"
	"shmbench/check/internal/model"
	"shmbench/internal/build/edit"
	"shmbench/internal/testkit/treetest"
	"shmbench/shm"
)

// counted is a lock that recovers. Nothing depends on its count of passages.
const counted = `package p

import "sync/atomic"

type L struct {
	busy  atomic.Bool
	count atomic.Uint64
	cells []uint64
}

func New(n int) *L { return &L{cells: make([]uint64, 1<<10)} }

func (l *L) Recover(i int) int {
	return 0
}

func (l *L) Lock(i int) {
	for l.busy.Swap(true) { // 1
	}
}

func (l *L) Unlock(i int) {
	l.count.Add(1)
	l.leave()
}

func (l *L) leave() {
	l.busy.Store(false) // 2
}

func (l *L) Cells() int { return len(l.cells) }
`

func written(t *testing.T, text string) *Lock {
	t.Helper()
	p, err := Open(t.Context(), treetest.Module(t, text), ".")
	require.NoError(t, err)
	return p.Lock("New")
}

// TestCode: the functions that access shared memory, and no others, each with its text.
func TestCode(t *testing.T) {
	l := written(t, counted)
	learned, err := l.Learn(t.Context(), 1, model.Options{})
	require.NoError(t, err)
	places, texts := l.Code(learned)
	require.Equal(t, []string{"p.go:17", "p.go:22", "p.go:27"}, places)
	require.Equal(t, map[string]string{
		"p.go:17": "func (l *L) Lock(i int) {\n\tfor l.busy.Swap(true) { // 1\n\t}\n}",
		"p.go:22": "func (l *L) Unlock(i int) {\n\tl.count.Add(1)\n\tl.leave()\n}",
		"p.go:27": "func (l *L) leave() {\n\tl.busy.Store(false) // 2\n}",
	}, texts)
}

// TestBuild: passages begin with Recover if processes crash. What nothing depends on is forgotten unless it is needed.
func TestBuild(t *testing.T) {
	l := written(t, counted)
	learn := func(b *Builder) *model.Lock {
		learned, err := model.Learn(t.Context(), b.Build, 1, b.Options(0, explore.Options{}))
		require.NoError(t, err)
		return learned
	}
	b := NewBuilder(l, NewMachines(0))
	plain := learn(b)
	require.False(t, plain.Learner.M.Recovers())
	require.Zero(t, plain.Passages)
	again := learn(b)
	require.NotSame(t, plain.Learner.M, again.Learner.M, "each machine is fresh")
	require.True(t, learn(NewBuilder(l.Crash(explore.Crashes{}), NewMachines(0))).Learner.M.Recovers())
	require.Zero(t, learn(b.Needing([]string{"busy"})).Passages)
	needed := learn(b.Needing([]string{"count"}))
	require.Equal(t, 2, needed.Passages)
	require.Equal(t, map[string]types.BasicKind{"count": types.Uint64}, needed.Unbounded)

	_, err := NewBuilder(l, NewMachines(1<<10)).Build(t.Context(), 1)
	require.ErrorContains(t, err, "allocates more than 32 words of memory")
	l.Find = func(*interp.Machine) (*interp.Closure, error) { return nil, os.ErrNotExist }
	_, err = NewBuilder(l, NewMachines(0)).Build(t.Context(), 1)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestOrigin: a lock of a list is found in the whole list, as an edit of another lock, or among those that are listed besides.
func TestOrigin(t *testing.T) {
	paths := [][]int{{0}, {1}}
	edited := []edit.Lock{{As: "other"}, {As: "changed"}}
	for _, c := range []struct {
		name string
		of   *edit.Program
		want Origin
	}{
		{"changed", nil, Origin{Package: "p", List: "All", Paths: paths, Algorithm: "changed"}},
		{"changed", &edit.Program{PartOf: "whole", Locks: edited}, Origin{Package: "whole", List: "All", Paths: paths, Algorithm: "changed"}},
		{"changed", &edit.Program{Also: "more", Locks: edited}, Origin{Package: "p", List: "All", Paths: paths, Algorithm: "changed", Edited: &edited[1]}},
		{"by hand", &edit.Program{Also: "more", Locks: edited}, Origin{Package: "more", List: "Specs", Paths: paths, Algorithm: "by hand"}},
	} {
		require.Equal(t, c.want, (&Package{Path: "p", edited: c.of}).origin("All", c.name, paths))
	}
	require.Equal(t, []string{"tas/tas", "p.New"}, []string{Origin{Package: "p", Algorithm: "tas/tas"}.String(), Origin{Package: "p", Constructor: "New"}.String()})
}

// TestLockOfOrigin: the lock of an origin is that of its list, or of its constructor. A trace does not judge it by a specification.
func TestLockOfOrigin(t *testing.T) {
	l, err := Origin{Package: catalog.Path, List: "All", Algorithm: "tas/tas"}.Lock(t.Context(), true)
	require.NoError(t, err)
	require.Equal(t, "tas/tas (all modes)", l.Called())
	require.Nil(t, l.Spec)
	require.Equal(t, "All", l.Target.List)
	_, err = NewBuilder(l, NewMachines(0)).Build(t.Context(), 2)
	require.NoError(t, err)
	l, err = Origin{Package: "shmbench/tas", Constructor: "NewTAS"}.Lock(t.Context(), false)
	require.NoError(t, err)
	require.Equal(t, "tas/NewTAS(n, shm.Stores(0))", l.Called())
	require.Equal(t, Origin{Package: "shmbench/tas", Constructor: "NewTAS"}, l.Origin)
}

// TestDoorway: the doorway is that of the mode, if passages are made in all modes.
func TestDoorway(t *testing.T) {
	l := &Lock{Spec: &shm.Algorithm{Claims: shm.Claims{Doorway: "1", Mixed: shm.Mixed{Writers: shm.Patient{Doorway: "2"}, Readers: shm.Patient{Doorway: "3"}}}}}
	require.Equal(t, []string{"1", "1"}, []string{l.Doorway(shm.Exclusive), l.Doorway(shm.Shared)})
	require.Equal(t, []string{"2", "3"}, []string{l.Mix().Doorway(shm.Exclusive), l.Mix().Doorway(shm.Shared)})
	require.Empty(t, (&Lock{}).Doorway(shm.Exclusive))
}
