package bench

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
)

func TestNamesAreParsedAsTheyAreMade(t *testing.T) {
	for name, w := range map[string]Workload{
		"Passage/alg=bakery-lamport/procs=4/cs=100/ncs=1000":         {Procs: 4, CS: 100 * time.Nanosecond, NCS: time.Microsecond},
		"Passage/alg=bakery-lamport/procs=4/cs=0/ncs=0/readers=0.9":  {Procs: 4, Readers: 0.9},
		"Passage/alg=bakery-lamport/procs=4/cs=0/ncs=0/execute=1":    {Procs: 4, Execute: true},
		"Passage/alg=bakery-lamport/procs=2/cs=0/ncs=0/lines=1":      {Procs: 2, Lines: 1},
		"Passage/alg=bakery-lamport/procs=2/cs=0/ncs=0/touch=1":      {Procs: 2, Touch: true},
		"Passage/alg=bakery-lamport/procs=1/cs=0/ncs=0/rate=2.5e+06": {Procs: 1, Rate: 2.5e6},
		"Passage/alg=bakery-lamport/procs=1/cs=0/ncs=0/rate=0.5":     {Procs: 1, Rate: 0.5},
		"Passage/alg=bakery-lamport/procs=4/cs=0/ncs=0/kills=2.5":    {Procs: 4, Kills: 2.5},
	} {
		require.Equal(t, name, w.Name("bakery/lamport"))
		require.Equal(t, strings.ReplaceAll(strings.TrimPrefix(name, "Passage/alg=bakery-lamport/"), "/", " "), w.String())
		for _, suffix := range []string{"", "-8"} {
			algorithm, got, ok := ParseName(benchfmt.Name(name + suffix))
			require.True(t, ok)
			require.Equal(t, "bakery/lamport", algorithm)
			require.Equal(t, w, got)
		}
	}
	op, ok := ParseCost(benchfmt.Name(Cost{Op: "cas-uint32"}.Name()))
	require.True(t, ok)
	require.Equal(t, "cas-uint32", op)
}

func TestOtherNamesAreNotParsed(t *testing.T) {
	for _, name := range []string{"Other/alg=a-b/procs=1", "Passage/procs=1", "Passage/alg=a-b/procs=x", "Machine/op=clock", ""} {
		_, _, ok := ParseName(benchfmt.Name(name))
		require.False(t, ok, name)
	}
	for _, name := range []string{"Passage/alg=a-b/procs=1", "Machine", "Machine/cpu=1"} {
		_, ok := ParseCost(benchfmt.Name(name))
		require.False(t, ok, name)
	}
}

func TestAboutMachine(t *testing.T) {
	require.True(t, AboutMachine(benchfmt.Name(Cost{Op: Transfer}.Name())))
	require.True(t, AboutMachine(benchfmt.Name(Workload{Procs: 1}.Name("baseline/null"))))
	require.True(t, AboutMachine(benchfmt.Name(quietName)))
	require.False(t, AboutMachine(benchfmt.Name(Workload{Procs: 1}.Name("tas/tas"))))
}
