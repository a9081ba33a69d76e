// Package mutants lists deliberately broken message-passing algorithms, each with
// the smallest system that shows its flaw. The explorer must find exactly this
// flaw. So the mutants test the explorer itself.
package mutants

import (
	"maps"
	"slices"

	"shmbench/distributed"
	"shmbench/distributed/alien"
	"shmbench/distributed/batch"
	"shmbench/distributed/election"
	"shmbench/distributed/explore"
	"shmbench/distributed/failover"
	"shmbench/distributed/lease"
	"shmbench/distributed/permission"
	"shmbench/distributed/token"
	"shmbench/distributed/verify"
)

// A Mutant is a broken algorithm or election, whichever is not nil, with the
// verdict that the explorer must reach.
type Mutant struct {
	Name, Flaw string
	Algorithm  *distributed.Algorithm
	Election   *election.Algorithm
	First      bool // for an election: no node leads yet
	Verdict

	// Invariants are the invariants of the algorithm that the mutant also breaks.
	// The keys are their names, and the values are the steps of a shortest trace.
	Invariants map[string]int
}

// A Verdict is a small system and the result that the explorer must find in it.
type Verdict struct {
	Nodes, Threads, Requests int
	Faults                   explore.Faults
	Ticks                    bool // timeouts have exactly their stated length

	Breaks explore.Property // the broken property; "": none, because the mutant is equivalent
	Steps  int              // the length of a shortest trace without its loop
}

var verdicts = map[string]Verdict{
	"central-grants-at-once":                  {3, 1, 1, none, false, explore.MutualExclusion, 4},
	"central-newest-first":                    {3, 1, explore.Forever, none, false, explore.Starvation, 3},
	"lamport-one-ack":                         {3, 1, 1, none, false, explore.MutualExclusion, 5},
	"lamport-silent-release":                  {2, 1, 1, none, false, explore.Deadlock, 7},
	"ricart-agrawala-tie-replies":             {2, 1, 1, none, false, explore.MutualExclusion, 6},
	"ricart-agrawala-tie-defers":              {2, 1, 1, none, false, explore.Deadlock, 4},
	"ricart-agrawala-replies-inside":          {2, 1, 1, none, false, explore.MutualExclusion, 6},
	"ricart-agrawala-forgets-deferred":        {2, 1, 1, none, false, explore.Deadlock, 6},
	"ricart-agrawala-own-clock":               {2, 1, 1, none, false, explore.MutualExclusion, 6},
	"ricart-agrawala-lecture":                 {3, 1, 1, none, false, explore.MutualExclusion, 12},
	"ricart-agrawala-reply-no-stamp":          {2, 1, 2, explore.Faults{Duplicate: 1}, false, explore.MutualExclusion, 9},
	"ricart-agrawala-reply-stop-on-no":        {2, 1, 1, lose, false, explore.Deadlock, 8},
	"ricart-agrawala-reply-no-retry":          {2, 1, 1, lose, false, explore.Deadlock, 4},
	"ricart-agrawala-timeout-no-probe":        {2, 1, 1, none, false, explore.MutualExclusion, 7},
	"ricart-agrawala-timeout-silent-inside":   {2, 1, 1, none, false, explore.MutualExclusion, 10},
	"maekawa-no-inquire":                      {2, 1, 1, none, false, explore.Deadlock, 5},
	"maekawa-no-relinquish":                   {2, 1, 1, none, false, explore.Deadlock, 5},
	"maekawa-as-printed":                      {4, 1, 1, none, false, explore.Deadlock, 14},
	"maekawa-quorums-apart":                   {2, 1, 1, none, false, explore.MutualExclusion, 2},
	"maekawa-keeps-vote":                      {4, 1, 1, none, false, explore.InvariantNamed("one vote a voter"), 8},
	"agrawal-el-abbadi-one-child":             {3, 1, 1, crash, false, explore.MutualExclusion, 9},
	"agrawal-el-abbadi-timeout-silent-inside": {3, 1, 1, none, false, explore.MutualExclusion, 13},
	"agrawal-el-abbadi-gives-up":              {3, 1, 1, crash, false, explore.Deadlock, 4},
	"token-ring-two-tokens":                   {2, 1, 1, none, false, explore.MutualExclusion, 4},
	"token-ring-keeps-token":                  {2, 1, 1, none, false, explore.Deadlock, 4},
	"token-ring-passes-by":                    {2, 1, explore.Forever, none, false, explore.Deadlock, 1},
	"token-ring-greedy":                       {2, 2, explore.Forever, none, false, explore.Starvation, 3},
	"suzuki-kasami-no-numbers":                {3, 1, 1, none, false, explore.Protocol, 10},
	"suzuki-kasami-lecture":                   {3, 1, 2, none, false, explore.Deadlock, 17},
	"suzuki-kasami-empty-queue":               {2, 1, 1, none, false, explore.Deadlock, 4},
	"raymond-asks-once":                       {3, 1, 1, none, false, explore.Deadlock, 8},
	"raymond-turns-back":                      {3, 1, 1, none, false, explore.Deadlock, 13},
	"naimi-trehel-no-reversal":                {3, 1, explore.Forever, none, false, explore.Starvation, 4},
	"local-queue-newest-first":                {2, 3, explore.Forever, none, false, explore.Starvation, 2},
	"naimi-trehel-two-roots":                  {2, 1, 1, none, false, explore.MutualExclusion, 4},
	"naimi-trehel-keeps-next":                 {2, 1, 2, none, false, explore.Protocol, 11},
	"neilsen-mizuno-sink-keeps":               {3, 1, 1, none, false, explore.Deadlock, 8},
	"neilsen-mizuno-relay-keeps":              {3, 1, explore.Forever, none, false, explore.Deadlock, 12},
	"mueller-one-next":                        {2, 2, 1, none, false, explore.Deadlock, 5},
	"batch-endless":                           {2, 2, explore.Forever, none, false, explore.Starvation, 3},
	"batch-no-re-ask":                         {2, 2, 2, none, false, explore.Deadlock, 3},
	"alien-v1-printed":                        {3, 1, 2, none, false, explore.MutualExclusion, 12},
	"alien-v1-pb-printed":                     {3, 1, 2, none, false, explore.MutualExclusion, 11},
	"alien-v2-printed":                        {2, 2, 1, none, false, explore.Deadlock, 13},
	"alien-v2-pb-printed":                     {2, 2, 1, none, false, explore.Deadlock, 12},
	"alien-v1-half-repair-owner":              {3, 1, 2, none, false, explore.MutualExclusion, 12},
	"alien-v1-half-repair-requested":          {2, 2, 1, none, false, explore.Deadlock, 13},
	"alien-v2-half-repair-owner":              {3, 1, 2, none, false, explore.MutualExclusion, 12},
	"alien-v2-half-repair-requested":          {2, 2, 1, none, false, explore.Deadlock, 13},
	"alien-v1-printed-no-token-requested":     {2, 2, 1, none, false, explore.MutualExclusion, 17},
	"alien-v1-no-token-requested":             {2, 2, 1, none, false, "", 0},
	"alien-v1-no-return":                      {3, 1, 1, none, false, explore.Deadlock, 8},
	"alien-v2-always-forwards":                {3, 1, explore.Forever, none, false, explore.Starvation, 5},
	"central-bully-no-query":                  {3, 1, 1, crash, false, explore.MutualExclusion, 11},
	"token-ring-bully-no-query":               {3, 1, 1, crash, false, explore.MutualExclusion, 14},
	"token-ring-bully-token-twice":            {2, 1, 1, restart, false, explore.Protocol, 9},
	"central-register-unasked":                {3, 1, 1, part, false, explore.MutualExclusion, 7},
	"central-majority-early":                  {3, 1, 1, part, false, explore.MutualExclusion, 7},
	"central-majority-short-vote":             {3, 1, 1, part, false, explore.InvariantNamed("one reign"), 20},
	"central-register-resumes":                {4, 1, 1, restart, false, explore.MutualExclusion, 12},
	"lease-register-no-fence":                 {3, 1, 1, explore.Faults{Hang: 1}, false, explore.InvariantNamed("writes in order"), 14},
	"lease-register-no-margin":                {3, 1, 1, none, true, explore.MutualExclusion, 10},
	"lease-register-no-lease":                 {3, 1, 1, crash, false, explore.Deadlock, 7},

	"bully-bare-counter":          {2, 1, 0, restart, false, explore.OneLeader, 5},
	"bully-follows-all":           {3, 1, 0, crash, false, explore.HighestLeads, 5},
	"bully-no-term":               {3, 1, 0, explore.Faults{Crash: 1, Suspicions: 1}, false, explore.HighestLeads, 10},
	"bully-hasty":                 {3, 1, 0, alarm, true, explore.HighestLeads, 4},
	"ring-elects-last":            {3, 1, 0, crash, false, explore.HighestLeads, 7},
	"chang-roberts-drops":         {3, 1, 0, crash, false, explore.Agreement, 20},
	"ring-gives-up":               {3, 1, 0, crash, false, explore.Agreement, 10},
	"chang-roberts-no-drop":       {3, 1, 0, explore.Faults{Suspicions: 2}, false, explore.HighestLeads, 7},
	"hirschberg-sinclair-no-drop": {3, 1, 0, explore.Faults{Suspicions: 2}, false, explore.HighestLeads, 17},
	"peterson-ring-no-equal":      {3, 1, 0, none, false, explore.Agreement, 7},
	"chang-roberts-untold":        {3, 1, 0, crash, false, explore.HighestLeads, 13},
	"ring-keeps-out":              {2, 1, 0, restart, false, explore.HighestLeads, 10},
	"ring-greets-once":            {3, 1, 0, restart, false, explore.Agreement, 27},
}

// invariants lists the algorithms' invariants that the mutants break.
var invariants = map[string]map[string]int{
	"lamport-one-ack":                         {"stamp order": 4},
	"ricart-agrawala-tie-replies":             {"stamp order": 4},
	"ricart-agrawala-own-clock":               {"stamp order": 4},
	"ricart-agrawala-lecture":                 {"stamp order": 8},
	"ricart-agrawala-reply-no-stamp":          {"stamp order": 7},
	"maekawa-no-relinquish":                   {"one vote a voter": 5},
	"maekawa-keeps-vote":                      {"one vote a voter": 8},
	"agrawal-el-abbadi-one-child":             {"a tree quorum inside": 6},
	"agrawal-el-abbadi-timeout-silent-inside": {"one vote a voter": 13, "a tree quorum inside": 13},
	"token-ring-two-tokens":                   {"one token": 0},
	"token-ring-keeps-token":                  {"one token": 3},
	"token-ring-bully-token-twice":            {"one token an epoch": 6},
	"raymond-turns-back":                      {"a way to the token": 8},
	"naimi-trehel-two-roots":                  {"a tree of owners": 2},
	"neilsen-mizuno-sink-keeps":               {"a tree of owners": 3},
	"neilsen-mizuno-relay-keeps":              {"a tree of owners": 4},
	"alien-v1-printed":                        {"one token": 12, "a way to the token": 12},
	"alien-v1-pb-printed":                     {"one token": 11, "a way to the token": 11},
	"alien-v2-printed":                        {"one token": 9, "a way to the token": 9},
	"alien-v2-pb-printed":                     {"one token": 8, "a way to the token": 8},
	"alien-v1-half-repair-owner":              {"one token": 12, "a way to the token": 12},
	"alien-v1-half-repair-requested":          {"one token": 9, "a way to the token": 9},
	"alien-v2-half-repair-requested":          {"one token": 9, "a way to the token": 9},
	"alien-v1-printed-no-token-requested":     {"one token": 9, "a way to the token": 9},
	"central-majority-short-vote":             {"one reign": 20},
	"lease-register-no-fence":                 {"writes in order": 14},
}

var (
	none    = explore.Faults{}
	lose    = explore.Faults{Lose: 1}
	crash   = explore.Faults{Crash: 1}
	part    = explore.Faults{Partition: 1, CutsLast: true}
	alarm   = explore.Faults{Suspicions: 1}
	restart = explore.Faults{Crash: 1, Recover: 1}
)

// first has the elections whose flaw shows only where no node leads yet.
var first = map[string]bool{"peterson-ring-no-equal": true}

// All lists the mutants family by family; the elections come last.
var All = func() []Mutant {
	var all []Mutant
	for _, a := range slices.Concat(permission.Mutants, token.Mutants, batch.Mutants, alien.Mutants, failover.Mutants, lease.Mutants) {
		all = append(all, Mutant{Name: a.Name, Flaw: a.Title, Algorithm: &a, Verdict: verdicts[a.Name], Invariants: invariants[a.Name]})
	}
	for _, a := range election.Mutants {
		all = append(all, Mutant{Name: a.Name, Flaw: a.Title, Election: a, First: first[a.Name], Verdict: verdicts[a.Name]})
	}
	return all
}()

// Model returns the system that shows m's flaw. Messages and timers follow m's
// claims. Model returns an error if it cannot build the nodes.
func (m *Mutant) Model() (explore.Model, error) {
	model := explore.Model{Threads: m.Threads, Requests: m.Requests, Faults: m.Faults}
	if m.Election != nil {
		c := election.Config{Nodes: m.Nodes, First: m.First}
		electors, err := m.Election.New(c)
		model.Nodes, model.FIFO, model.Timing = explore.Nodes(electors), m.Election.FIFO, m.timing()
		model.HighestLeads, model.MaxElections = true, verify.MaxElections(m.Faults, c)
		return model, err
	}
	nodes, err := m.Algorithm.New(distributed.Config{Nodes: m.Nodes, Threads: m.Threads, Lease: verify.Lease})
	c := m.Algorithm.Claims
	model.Nodes, model.FIFO, model.Invariants = explore.Nodes(nodes), c.FIFO, m.Algorithm.Invariants
	model.Apart, model.Wins, model.GoOn = m.Algorithm.Apart, c.Wins, c.Hang && m.Faults.Hang > 0
	if c.Timely || c.Timers {
		model.Timing = m.timing()
	}
	return model, err
}

// Confirms reports whether r, the result of exploring m's model, agrees with m's
// verdict: the broken property, the number of steps, and the invariants.
func (m *Mutant) Confirms(r *explore.Result) bool {
	if !maps.Equal(m.Broken(r), m.Invariants) {
		return false
	}
	if m.Breaks == "" {
		return r.Holds()
	}
	v := r.Broken(m.Breaks)
	return v != nil && v.Steps() == m.Steps
}

// Broken returns the algorithm's invariants that r found broken, with the steps
// of their traces. r is the result of exploring m's model.
func (m *Mutant) Broken(r *explore.Result) map[string]int {
	steps := map[string]int{}
	if m.Algorithm == nil {
		return steps
	}
	for _, inv := range m.Algorithm.Invariants {
		if v := r.Broken(explore.InvariantNamed(inv.Name)); v != nil {
			steps[inv.Name] = v.Steps()
		}
	}
	return steps
}

func (v *Verdict) timing() explore.Timing {
	if v.Ticks {
		return explore.Ticks
	}
	return explore.Timely
}
