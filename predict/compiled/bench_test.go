package compiled

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkAccesses is the speed through compiled code: accesses a second of a ticket lock
// with 32 processes.
func BenchmarkAccesses(b *testing.B) {
	m := machine()
	m.Topology = "sockets=2,cores=32"
	accesses := int64(0)
	for b.Loop() {
		r, err := Run(b.Context(), ticketSpec, Trial{Machine: m, Workload: Workload{Procs: 32}, Options: Options{Passages: 100}})
		require.NoError(b, err)
		accesses += r.Accesses
	}
	b.ReportMetric(float64(accesses)/b.Elapsed().Seconds()/1e6, "Maccesses/s")
}
