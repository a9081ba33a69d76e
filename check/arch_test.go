package check_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/check"
)

// TestArchitecture: words are as wide, and lie where they do, in what is built for
// GOARCH, whatever this program was built for.
func TestArchitecture(t *testing.T) {
	const text = `package arch

import (
	"sync/atomic"
	"unsafe"
)

type Lock struct {
	busy atomic.Bool
	good bool
}

func (l *Lock) Lock(int) {
	for l.good && l.busy.Swap(true) {
	}
}

func (l *Lock) Unlock(int) { l.busy.Store(false) }

func NewSize(int) *Lock { return &Lock{good: unsafe.Sizeof(uintptr(0)) == 8} }

func NewInt(n int) *Lock { return &Lock{good: n<<31>>31 == n} }

type Odd struct {
	first uint32
	word  uint64
}

func NewOdd(int) *Odd { return new(Odd) }

func (l *Odd) Lock(int) {
	for !atomic.CompareAndSwapUint64(&l.word, 0, 1) {
	}
}

func (l *Odd) Unlock(int) { atomic.StoreUint64(&l.word, 0) }

type Even struct {
	first uint32
	word  atomic.Uint64
}

func NewEven(int) *Even { return new(Even) }

func (l *Even) Lock(int) {
	for !l.word.CompareAndSwap(0, 1) {
	}
}

func (l *Even) Unlock(int) { l.word.Store(0) }
`
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "lock.go"), []byte(text), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module arch\n\ngo 1.26\n"), 0o644))
	for arch, wide := range map[string]bool{"386": false, "arm": false, "amd64": true, "arm64": true} {
		t.Setenv("GOARCH", arch)
		t.Setenv("GOOS", "linux")
		src, err := check.Open(t.Context(), dir, ".")
		require.NoError(t, err)
		for _, constructor := range []string{"NewSize", "NewInt", "NewOdd", "NewEven"} {
			reports, err := src.Lock(t.Context(), constructor, check.Options{N: []int{2}})
			require.NoError(t, err)
			r := reports[0]
			switch {
			case wide || constructor == "NewEven":
				require.Equal(t, check.Holds, r.MutualExclusion, "%s, %s", constructor, arch)
				require.Equal(t, check.Holds, r.PanicFreedom, "%s, %s", constructor, arch)
			case constructor == "NewOdd":
				require.Contains(t, r.Counterexample(check.PanicFreedom).End, "unaligned 64-bit atomic operation", arch)
			default:
				require.Equal(t, check.Violated, r.MutualExclusion, "%s, %s", constructor, arch)
			}
		}
	}
}
