package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"shmbench/distributed"
	"shmbench/distributed/catalog"
	"shmbench/distributed/natsnet/harness"
	"shmbench/distributed/natsnet/node"
	"shmbench/distributed/verify"
	"shmbench/internal/cli"
	"shmbench/internal/tty"
)

// usualAlgs are those that are played without -alg: of each kind that a fault treats
// differently, one or two.
const usualAlgs = "^(central|ricart-agrawala|ricart-agrawala-timeout|maekawa|suzuki-kasami|raymond|naimi-trehel|token-ring|central-bully|token-ring-bully|central-majority|lease-register)$"

var faultsVerb = cli.Verb{
	Name:    "faults",
	Summary: "what each fault does to processes: kills, pauses, a partition, a server that restarts",
	Example: "dmebench faults\ndmebench faults -alg '^central' -over tcp -deadline 5s",
	Setup: func(fs *flag.FlagSet) cli.Body {
		f := &faultsFlags{}
		fs.StringVar(&f.alg, "alg", usualAlgs, "the algorithms whose names match this `regexp`")
		fs.StringVar(&f.fault, "fault", "", "the faults whose names match this `regexp` (default all)")
		fs.StringVar(&f.over, "over", "nats", "what the nodes talk over: nats or tcp")
		fs.DurationVar(&f.tick, "tick", 100*time.Millisecond, "a timer's tick, the delay that the algorithm supposes")
		fs.DurationVar(&f.deadline, "deadline", 10*time.Second, "how long one may wait to enter: then it is said who waits for whom")
		fs.DurationVar(&f.hold, "hold", 4*time.Second, "how long a pause or a partition lasts, if nobody gets past it before")
		fs.IntVar(&f.states, "max-states", 100_000, "what the explorer says of the same fault, leaving it undecided beyond this many states; 0: it is not asked")
		fs.BoolVar(&f.markdown, "markdown", false, "print a table in Markdown, with a row for each algorithm and a column for each fault")
		fs.BoolVar(&f.json, "json", false, "print one JSON document")
		return func(ctx context.Context, e cli.Env, _ []string) error { return f.run(ctx, e) }
	},
}

// faultsFlags is one use of the verb.
type faultsFlags struct {
	alg, fault, over string
	tick             time.Duration
	deadline, hold   time.Duration
	states           int
	markdown, json   bool
}

// row is an outcome beside what the explorer says of three nodes.
type row struct {
	*harness.Outcome
	Explored string `json:"explored"` // "": nothing
}

func (f *faultsFlags) run(ctx context.Context, e cli.Env) error {
	algs, err := regexp.Compile(f.alg)
	if err != nil {
		return fmt.Errorf("-alg: %w", err)
	}
	faults, err := regexp.Compile(f.fault)
	if err != nil {
		return fmt.Errorf("-fault: %w", err)
	}
	switch {
	case f.over != "nats" && f.over != "tcp":
		return fmt.Errorf("-over %q: nats or tcp", f.over)
	case f.tick <= 0 || f.deadline < time.Second || f.hold <= 0:
		return fmt.Errorf("-tick %v, -deadline %v, -hold %v: above 0, and the deadline at least 1s", f.tick, f.deadline, f.hold)
	case f.markdown && f.json:
		return errors.New("-markdown and -json: one of them")
	case f.states < 0:
		return fmt.Errorf("-max-states %d: at least 0", f.states)
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	one, err := node.ParseLoad("one")
	if err != nil {
		return err
	}
	rows := []row{}
	bar := tty.NewProgress(e.Stderr, 0)
	for _, a := range catalog.All {
		if !algs.MatchString(a.Name) {
			continue
		}
		words, err := f.explored(ctx, a)
		if err != nil && ctx.Err() == nil {
			return err
		}
		for k := range harness.Faults {
			fault := &harness.Faults[k]
			if !faults.MatchString(fault.Name) || fault.Server && f.over == "tcp" || ctx.Err() != nil {
				continue
			}
			bar.At(len(rows), a.Name+", "+fault.Name)
			o, err := harness.PlayFault(ctx, harness.Options{
				Program: program, Algorithm: a, System: distributed.Config{Nodes: harness.FaultNodes, Threads: 1, Server: a.Apart},
				TCP: f.over == "tcp", Load: one, Entries: 1, Tick: f.tick, Fenced: true, Deadline: f.deadline, Hold: f.hold,
			}, fault)
			if ctx.Err() != nil {
				break
			}
			if err != nil {
				return fmt.Errorf("%s, %s: %w", a.Name, fault.Name, err)
			}
			rows = append(rows, row{o, words[fault.Trial]})
		}
	}
	bar.Clear()
	if len(rows) == 0 && ctx.Err() == nil {
		return errors.New("nothing matches -alg and -fault")
	}
	switch {
	case f.json:
		err = cli.WriteJSON(e.Stdout, "dmebench", "faults", ctx.Err() == nil, rows)
	case f.markdown:
		err = markdown(e.Stdout, rows)
	default:
		err = f.print(e.Stdout, rows)
	}
	if err != nil {
		return err
	}
	for _, r := range rows {
		if r.Violates() {
			return cli.ErrViolated
		}
	}
	return cli.Interrupted(ctx, "%d faults were played", len(rows))
}

// explored returns what the explorer says of the trials of package verify.
func (f *faultsFlags) explored(ctx context.Context, a *distributed.Algorithm) (map[string]string, error) {
	words := map[string]string{}
	if f.states == 0 {
		return words, nil
	}
	verdicts, err := verify.Algorithm(ctx, a, f.states)
	for _, v := range verdicts {
		words[v.Trial] = v.String()
	}
	return words, err
}

// took is how long those that live took until all had entered again.
func (r *row) took() time.Duration {
	if r.After < time.Second {
		return r.After.Round(10 * time.Millisecond)
	}
	return r.After.Round(100 * time.Millisecond)
}

// seen says what else there is to say of r.
func (r *row) seen() string {
	var seen []string
	if r.GoesOn && r.Says != "" {
		seen = append(seen, r.Says)
	}
	if r.Two {
		seen = append(seen, "two inside, or a token not greater")
	}
	if r.Refused > 0 {
		seen = append(seen, fmt.Sprintf("old tokens refused: %d", r.Refused))
	}
	if r.Lost > 0 {
		seen = append(seen, fmt.Sprintf("UPDATES LOST: %d", r.Lost))
	}
	return strings.Join(seen, "; ")
}

func (f *faultsFlags) print(w io.Writer, rows []row) error {
	for _, fault := range harness.Faults {
		fmt.Fprintf(w, "%s: %s\n", fault.Name, fault.What)
	}
	fmt.Fprintf(w, "\nThose that live are to enter again, one after the other, each within %v of asking.\n\n", f.deadline)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "algorithm\tfault\tclaimed\tthe others\tsent again\tthe explorer, of fewer nodes\tseen")
	for _, r := range rows {
		claimed, others := "no", "stop"
		if r.Claimed {
			claimed = "yes"
		}
		if r.GoesOn {
			others = fmt.Sprintf("go on, all within %v", r.took())
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", r.Algorithm, r.Fault, claimed, others, r.Resent, cmp.Or(r.Explored, "-"), r.seen())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		if !r.GoesOn {
			fmt.Fprintf(w, "\n%s, %s: %s\n", r.Algorithm, r.Fault, r.Says)
		}
	}
	return nil
}

// markdown prints rows as a table, in whose cells the explorer's words are in
// italics and what is claimed is bold.
func markdown(w io.Writer, rows []row) error {
	var names []string
	for _, fault := range harness.Faults {
		if slices.ContainsFunc(rows, func(r row) bool { return r.Fault == fault.Name }) {
			names = append(names, fault.Name)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| algorithm | %s |\n|---%s|\n", strings.Join(names, " | "), strings.Repeat("|---", len(names)))
	for len(rows) > 0 {
		alg := rows[0].Algorithm
		cells := make([]string, len(names))
		for len(rows) > 0 && rows[0].Algorithm == alg {
			cells[slices.Index(names, rows[0].Fault)] = rows[0].cell()
			rows = rows[1:]
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", alg, strings.Join(cells, " | "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *row) cell() string {
	text := "stop"
	if r.GoesOn {
		text = r.took().String()
	}
	if r.Claimed {
		text = "**" + text + "**"
	}
	if r.Two {
		text += ", two inside"
	}
	if r.Refused > 0 {
		text += fmt.Sprintf(", %d refused", r.Refused)
	}
	if r.Lost > 0 {
		text += fmt.Sprintf(", %d LOST", r.Lost)
	}
	if r.Explored != "" {
		text += "; *" + r.Explored + "*"
	}
	return text
}
