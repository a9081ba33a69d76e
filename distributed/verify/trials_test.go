package verify_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/election"
	"shmbench/distributed/failover"
	"shmbench/distributed/lease"
	"shmbench/distributed/permission"
	"shmbench/distributed/token"
	"shmbench/distributed/verify"
)

var update = flag.Bool("update", false, "write testdata/trials.tsv")

// Every trial of a few algorithms and elections has the verdict and the number of states in
// testdata/trials.tsv. The elections include one that survives no crash, and one that has no
// rule for a restart.
func TestTrialsOfAFew(t *testing.T) {
	var found strings.Builder
	found.WriteString("algorithm\ttrial\tclaimed\tverdict\tstates\n")
	write := func(name string, verdicts []verify.Verdict, err error) {
		require.NoError(t, err)
		require.NotEmpty(t, verdicts)
		for _, v := range verdicts {
			fmt.Fprintf(&found, "%s\t%s\t%v\t%s\t%d\n", name, v.Trial, v.Claimed, v, v.States)
		}
	}
	for _, c := range []struct {
		a         distributed.Algorithm
		maxStates int
	}{
		{permission.Central, 600}, {token.Raymond, 400}, {permission.Lamport, 800}, {failover.CentralBully, 2600}, {failover.CentralRegister, 1500},
		{failover.CentralMajority, 900}, {lease.Register, 5000}, {permission.RicartAgrawalaReply, 300}, {permission.RicartAgrawalaTimeout, 300},
	} {
		verdicts, err := verify.Algorithm(t.Context(), &c.a, c.maxStates)
		write(c.a.Name, verdicts, err)
	}
	for _, a := range []*election.Algorithm{&election.Bully, &election.ChangRoberts, &election.HirschbergSinclair, &election.Peterson} {
		verdicts, err := verify.Election(t.Context(), a, 1000)
		write(a.Name, verdicts, err)
	}
	const file = "testdata/trials.tsv"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(found.String()), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), found.String(), "-update writes %s", file)
}

// An election may begin two elections for each fault, and two more, and one a node where no
// node leads.
func TestMaxElections(t *testing.T) {
	for _, c := range []struct {
		trial string
		want  int64
	}{
		{"first", 5}, {"crash", 4}, {"crashes", 6}, {"alarms", 6}, {"crash and alarm", 6}, {"cut", 4}, {"restart", 6}, {"restarts", 10}, {"partition", 6},
	} {
		at := 0
		for verify.ElectionTrials[at].Name != c.trial {
			at++
		}
		trial := verify.ElectionTrials[at]
		require.Equal(t, c.want, verify.MaxElections(trial.Faults, election.Config{Nodes: trial.Nodes, First: trial.First}), c.trial)
	}
}
