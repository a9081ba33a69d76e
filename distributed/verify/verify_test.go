package verify_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/alien"
	"shmbench/distributed/catalog"
	"shmbench/distributed/election"
	"shmbench/distributed/explore"
	"shmbench/distributed/permission"
	"shmbench/distributed/token"
	"shmbench/distributed/verify"
	"shmbench/internal/testkit/sample"
)

// undecided are the trials of claims that 10,000 states do not decide, by
// algorithm. Every other trial of a claim must be decided.
var undecided = map[string][]string{
	"lamport":                  {"nodes"},
	"ricart-agrawala-reply":    {"endless", "overtaking", "late", "loss", "duplicate"},
	"ricart-agrawala-timeout":  {"overtaking", "crash"},
	"central-ring":             {"restarts"},
	"central-chang-roberts":    {"restarts"},
	"token-ring-bully":         {"crash", "restarts"},
	"token-ring-ring":          {"crash", "restart", "restarts"},
	"token-ring-chang-roberts": {"crash", "restart", "restarts"},
	"central-majority":         {"cut", "partition"},
	"lease-register":           {"again", "endless", "late", "ticks"},
}

// undecidedElections are those that 50,000 states do not decide.
var undecidedElections = map[string][]string{"ring": {"restart"}}

// holds fails the test unless every verdict on a claim is that it holds; it may
// be undecided in the trials that are named, and only there.
func holds(t *testing.T, name string, verdicts []verify.Verdict, undecided []string) {
	t.Helper()
	for _, v := range verdicts {
		require.False(t, v.Refuted(), "%s: %+v", name, v)
		if v.Claimed {
			require.Equal(t, !slices.Contains(undecided, v.Trial), v.Decided, "%s, trial %q: decided", name, v.Trial)
		}
	}
}

// TestNoClaimIsRefuted: every claim holds in each trial that can be decided here. It
// looks at one algorithm in five, and at all with -all.
func TestNoClaimIsRefuted(t *testing.T) {
	for _, a := range sample.Of(t, catalog.All, nameOf, 5) {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			verdicts, err := verify.Algorithm(context.Background(), a, 10_000)
			require.NoError(t, err)
			trials := len(verify.Trials)
			if !a.Claims.Timely && !a.Claims.Timers {
				trials-- // ticks
			}
			if !a.Claims.Restart {
				trials -= 2 // restart and restarts: its nodes have no rule for one
			}
			require.Len(t, verdicts, trials)
			holds(t, a.Name, verdicts, undecided[a.Name])
		})
	}
}

func nameOf(a *distributed.Algorithm) string { return a.Name }

func TestNoElectionIsRefuted(t *testing.T) {
	sample.NeedsAll(t)
	for _, a := range election.All {
		verdicts, err := verify.Election(context.Background(), a, 50_000)
		require.NoError(t, err)
		holds(t, a.Name, verdicts, undecidedElections[a.Name])
	}
}

// Each broken election is refuted in the trial that is for it.
func TestBrokenElectionsAreRefuted(t *testing.T) {
	sample.NeedsAll(t)
	for name, want := range map[string]struct {
		trial  string
		breaks explore.Property
	}{
		"bully-bare-counter":  {"restart", explore.OneLeader}, // terms that are the counter alone
		"bully-no-term":       {"crash and alarm", explore.HighestLeads},
		"bully-hasty":         {"ticks", explore.HighestLeads},
		"ring-elects-last":    {"crash", explore.HighestLeads},
		"ring-gives-up":       {"cut", explore.Agreement},
		"chang-roberts-drops": {"crash", explore.Agreement},

		"chang-roberts-no-drop":       {"alarms", explore.HighestLeads},
		"hirschberg-sinclair-no-drop": {"alarms", explore.HighestLeads},
		"peterson-ring-no-equal":      {"first", explore.Agreement},
	} {
		at := slices.IndexFunc(election.Mutants, func(a *election.Algorithm) bool { return a.Name == name })
		verdicts, err := verify.Election(context.Background(), election.Mutants[at], 50_000)
		require.NoError(t, err)
		at = slices.IndexFunc(verdicts, func(v verify.Verdict) bool { return v.Trial == want.trial })
		require.True(t, verdicts[at].Refuted(), name)
		require.Equal(t, want.breaks, verdicts[at].Breaks, name)
	}
}

// An election whose leader is not the highest node is refuted in all trials that are decided.
func TestTheHighestLeads(t *testing.T) {
	at := slices.IndexFunc(election.Mutants, func(a *election.Algorithm) bool { return a.Name == "ring-elects-last" })
	verdicts, err := verify.Election(t.Context(), election.Mutants[at], 200)
	require.NoError(t, err)
	refuted := 0
	for _, v := range verdicts {
		if v.Decided {
			require.True(t, v.Refuted(), "%+v", v)
			require.Equal(t, explore.HighestLeads, v.Breaks, v.Trial)
			refuted++
		}
	}
	require.Equal(t, 8, refuted)
}

func TestFalseClaimIsRefuted(t *testing.T) {
	verdicts, err := verify.Algorithm(context.Background(), &alien.V1AsPrinted, 20_000)
	require.NoError(t, err)
	endless := verdicts[3]
	require.Equal(t, "endless", endless.Trial)
	require.True(t, endless.Refuted())
	require.Equal(t, explore.MutualExclusion, endless.Breaks)
}

// A claim that is not decided in the trial's system is in a smaller one, and the
// verdict says in which; what is not claimed stays undecided.
func TestASmallerSystemDecides(t *testing.T) {
	verdicts, err := verify.Algorithm(context.Background(), &permission.Lamport, 3000)
	require.NoError(t, err)
	at := slices.IndexFunc(verdicts, func(v verify.Verdict) bool { return v.Trial == "endless" })
	require.Equal(t, "holds of 2×∞", verdicts[at].String())
	require.True(t, verdicts[at].Claimed)
	at = slices.IndexFunc(verdicts, func(v verify.Verdict) bool { return v.Trial == "duplicate" })
	require.Equal(t, "undecided", verdicts[at].String())
	require.False(t, verdicts[at].Claimed)

	// It may refute, too.
	at = slices.IndexFunc(permission.Mutants, func(a distributed.Algorithm) bool { return a.Name == "lamport-silent-release" })
	verdicts, err = verify.Algorithm(context.Background(), &permission.Mutants[at], 1800)
	require.NoError(t, err)
	at = slices.IndexFunc(verdicts, func(v verify.Verdict) bool { return v.Trial == "endless" })
	require.True(t, verdicts[at].Refuted(), "%+v", verdicts[at])
	require.NotNil(t, verdicts[at].Smaller)
}

// Trials that were interrupted have no verdicts.
func TestAnInterruptedTrial(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	verdicts, err := verify.Algorithm(ctx, &permission.Lamport, 3000)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, verdicts)
}

// An invariant that does not hold refutes, where the algorithm's claims hold.
func TestFalseInvariantIsRefuted(t *testing.T) {
	a := token.Raymond
	a.Invariants = []distributed.Invariant{distributed.OneToken("nowhere", func(v *distributed.View, i distributed.ID) bool { return v.Inside[i] })}
	verdicts, err := verify.Algorithm(context.Background(), &a, 20_000)
	require.NoError(t, err)
	require.Equal(t, "nodes", verdicts[0].Trial)
	require.True(t, verdicts[0].Refuted())
	require.Equal(t, explore.InvariantNamed("one token"), verdicts[0].Breaks)
}
