package sim

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
)

// Whatever faults are asked for, of whatever algorithm, the run ends and says
// why.
func FuzzFaults(f *testing.F) {
	for a := range catalog.All {
		for kind := range byte(len(faultNames)) {
			f.Add(byte(a), byte(3), byte(kind), []byte{kind, 1, 2, 30, kind, 2, 0, 60}, byte(0), byte(0))
		}
		f.Add(byte(a), byte(5), byte(2), []byte{}, byte(128), byte(0))                       // duplication
		f.Add(byte(a), byte(5), byte(1), []byte{}, byte(0), byte(128))                       // loss
		f.Add(byte(a), byte(3), byte(2), []byte("809x\x02\x02\x04\x00"), byte('#'), byte(0)) // duplicates that breed
		f.Add(byte(a), byte(130), byte(2), []byte{}, byte(30), byte(30))                     // both, overtaking
	}
	f.Fuzz(func(t *testing.T, algorithm, shape, load byte, faults []byte, doubled, lost byte) {
		o := system(catalog.All[int(algorithm)%len(catalog.All)], 2+int(shape&7), 1+int(shape>>3&1), Saturated(), 100)
		o.Load = []Load{Saturated(), Single(), Poisson(1), PoissonAny(5)}[load&3]
		o.Overtaking = shape&128 != 0
		o.Warmup, o.Until = int(load>>4), 10*time.Minute
		o.Random = RandomFaults{Loss: float64(lost) / 255, Duplication: float64(doubled) / 255}
		if load&4 != 0 {
			o.Random.Crash, o.Random.Repair = 20*time.Second, 5*time.Second
		}
		if load&8 != 0 {
			o.Random.Cut, o.Random.Heal = 10*time.Second, time.Second
			o.Tick = 50 * time.Millisecond
		}
		nodes, err := o.Algorithm.New(o.System)
		require.NoError(t, err)
		_, restarts := nodes[0].(distributed.Recoverer)
		if !restarts {
			o.Random.Repair = 0
		}
		if o.Algorithm.Apart && o.System.Nodes == 2 {
			o.Random.Cut = 0
		}
		n := byte(o.System.Nodes)
		for ; len(faults) >= 4 && len(o.Faults) < 50; faults = faults[4:] {
			o.Faults = append(o.Faults, Fault{
				Kind: FaultKind(faults[0] % byte(len(faultNames))), Node: distributed.ID(faults[1] % n),
				To: distributed.ID((faults[1]%n + 1 + faults[2]%(n-1)) % n), Side: []distributed.ID{distributed.ID(faults[2] % n)},
				At: time.Duration(faults[3]) * 100 * time.Millisecond,
			})
		}
		o.Faults = slices.DeleteFunc(o.Faults, func(f Fault) bool {
			return f.Kind == Restart && !restarts || o.Algorithm.Apart && (f.Node == 0 || f.Kind == Cut && (f.Side[0] == 0 || n == 2))
		})
		e, err := newEngine(&o)
		require.NoError(t, err)
		e.room = 5000 // so that a flood does not take long
		e.start()
		e.play(context.Background(), math.MaxInt64)
		r := e.result()
		require.NotEqual(t, running, r.End)
		require.Equal(t, r.End == Complete, r.Detail == "", "%v: %q", r.End, r.Detail)
		require.LessOrEqual(t, r.Entries, 100)
		s := Summarize([]Result{r})
		_, err = json.Marshal(s)
		require.NoError(t, err)
	})
}
