package bench

import (
	"context"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMachineMeasuresEveryOperation(t *testing.T) {
	costs := map[string]float64{}
	for _, c := range Machine(t.Context()) {
		require.Positive(t, c.NS, c.Op)
		costs[c.Op] = c.NS
	}
	for _, op := range slices.Concat(atomics(), mixed(), pastimes()) {
		require.Contains(t, costs, op.name)
	}
}

// An operation that both reads and writes costs more than one that only reads,
// on every machine; the quickest of many trials, as others may have the processor.
func TestOperationsDoWhatTheirNamesSay(t *testing.T) {
	const n = 2000
	quickest := map[string]int64{}
	for range 20 {
		for _, op := range machine() {
			if kind, _, _ := strings.Cut(op.name, "-"); !slices.Contains([]string{"load", "swap", "cas", "add", "and", "or"}, kind) {
				continue
			}
			ns := make([]int64, 5)
			op.time(n, ns)
			if was, ok := quickest[op.name]; !ok || slices.Min(ns) < was {
				quickest[op.name] = slices.Min(ns)
			}
		}
	}
	require.Len(t, quickest, 5+4+5+3+2+1)
	for name, ns := range quickest {
		if _, register, _ := strings.Cut(name, "-"); !strings.HasPrefix(name, "load-") {
			require.Greater(t, float64(ns), 1.5*float64(quickest["load-"+register]), name)
		}
	}
}

// TestMixedOperationsTakeAsLongAsASwap: a swap is one of the three operations of each row.
func TestMixedOperationsTakeAsLongAsASwap(t *testing.T) {
	quickest := map[string]int64{}
	for range 20 {
		for _, op := range machine() {
			if op.name == "swap-uint32" || strings.HasPrefix(op.name, "mixed-") {
				ns := make([]int64, 5)
				op.time(2000, ns)
				if was, ok := quickest[op.name]; !ok || slices.Min(ns) < was {
					quickest[op.name] = slices.Min(ns)
				}
			}
		}
	}
	for _, op := range []string{MixedIndependent, MixedDependent} {
		require.Greater(t, float64(quickest[op]), 0.8*float64(quickest["swap-uint32"]), op)
	}
}

// TestCostsAreMeasuredWithoutCollector: no collection runs while the costs are measured, and the collector is as before then.
func TestCostsAreMeasuredWithoutCollector(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	var before, after runtime.MemStats
	costs := costsOf(t.Context(), []operation{{"allocate", func(_ int, ns []int64) bool {
		runtime.ReadMemStats(&before)
		for range 64 {
			garbage = make([]byte, 1<<20)
		}
		runtime.ReadMemStats(&after)
		return true
	}}})
	require.Len(t, costs, 1)
	require.Equal(t, before.NumGC, after.NumGC)
	require.Equal(t, 20, debug.SetGCPercent(20))
}

var garbage []byte

func TestMachineEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Empty(t, Machine(ctx))
}

func TestOwnAtomicsAreOperationsOfTheMachine(t *testing.T) {
	names := map[string]bool{}
	for _, op := range machine() {
		names[op.name] = true
	}
	for lock, ops := range ownAtomics {
		for op := range ops {
			require.Truef(t, names[op], "%s of %s", op, lock)
		}
	}
}

func TestDerive(t *testing.T) {
	costs := []Cost{{"load-uint32", 0.5}, {"store-uint32", 2}, {"release-uint32", 0.75}, {Transfer, 1e9}}
	null := Sample{}
	null.put(nsPerOp, 4)
	derived := func(name string, procs int) map[string]float64 {
		s := Sample{Workload: Workload{Procs: procs}}
		s.put(nsPerOp, 100)
		s.derive(get(t, name), costs, 50, &null)
		values := map[string]float64{}
		for _, v := range s.Values {
			values[v.Unit] = v.Value
		}
		return values
	}
	alone := map[string]float64{nsPerOp: 100, overheadNS: 4, atomicsPerOp: 100 / 6.5}
	require.Equal(t, alone, derived("peterson/peterson", 1), "three stores of 2 ns and a load of 0.5")
	require.Equal(t, alone, derived("peterson/peterson-padded", 1))
	alone[atomicsPerOp] = 100.0 / 4
	require.Equal(t, alone, derived("peterson/peterson-released", 1), "one store of 2 ns, two of 0.75 and a load")
	require.Equal(t, map[string]float64{nsPerOp: 100, overheadNS: 4}, derived("baseline/channel", 1))
	require.Equal(t, map[string]float64{nsPerOp: 100, overheadNS: 4, xfersPerOp: 2}, derived("peterson/peterson", 2))

	// Without a transfer that was measured just before the sample there is no multiple
	// of it, whatever was measured at another time.
	s := Sample{Workload: Workload{Procs: 2}}
	s.put(nsPerOp, 100)
	s.derive(get(t, "peterson/peterson"), costs, 0, &null)
	_, ok := s.Get(xfersPerOp)
	require.False(t, ok)
}
