package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"shmbench/catalog"
	"shmbench/internal/cli"
	"shmbench/report"
	"shmbench/shm"
)

var allVerb = verb{
	Name:    "all",
	Summary: "measure, check and stress-test the locks on this machine, then build the report",
	Example: "shmbench all -o report.html\n" +
		"shmbench all -o report.html -alg '^(queue|tas)/' -parts specs,run,sweep",
	Setup: setupAll,
}

// sweptLocks are the locks whose rate of arrivals and waiting policy are
// varied: what Go ships, the simplest lock and its kin, the two queue locks, the
// ticket lock, and two of reads and writes.
const sweptLocks = "^(baseline/mutex|tas/ttas|tas/backoff|queue/ticket|queue/mcs|queue/clh|bakery/lamport|tournament/peterson)$"

// allFlags are the flags of all as given.
type allFlags struct {
	fs                     *flag.FlagSet
	selection              selection
	out, dir, swept, parts string
	d                      time.Duration
	count                  int
	json                   bool
}

func setupAll(fs *flag.FlagSet) body {
	f := &allFlags{fs: fs}
	f.declare()
	return f.run
}

func (f *allFlags) declare() {
	fs := f.fs
	fs.StringVar(&f.out, "o", "", "write the page to this `file` again after each part, and the data into a folder beside it with the same name, without the ending")
	f.selection.declareAlg(fs, "default all; run and predict take about twenty of them")
	fs.StringVar(&f.swept, "swept", sweptLocks, "vary arrival rates, waiting policies, layouts and stores for these `locks`, written as for -alg; without the flag, only for those that -alg selects")
	fs.StringVar(&f.parts, "parts", "", "only these parts, a `list` of "+strings.Join(f.names(), ",")+" (default all)")
	sampleFlags(fs, &f.d, &f.count)
	jsonFlag(fs, &f.json)
	cli.WritesKind(fs, cli.Page, "o")
}

// all are the parts, as the flags have them, in the order in which they are done.
func (f *allFlags) all() []part {
	var alg []string
	if f.selection.given() {
		alg = []string{"-alg", f.selection.alg}
	}
	sample := []string{"-d", f.d.String(), "-count", fmt.Sprint(f.count)}
	both := f.sweptOf()
	swept := append([]string{"-alg", both}, sample...)
	procs := "1,2"
	if cores := runtime.NumCPU(); cores > 2 {
		procs += fmt.Sprint(",", cores)
	}
	parts := []part{
		{"specs", "what each lock claims", time.Second, listVerb, append([]string{"-json"}, alg...), "specs.json", ""},
		{"run", "cost", 100 * time.Second, runVerb, append(alg, sample...), "run.txt", "o"},
		{"variants", "layouts and stores", 35 * time.Second, runVerb, append([]string{"-alg", withVariants(both), "-procs", procs}, sample...), "variants.txt", "o"},
		{"sweep", "latency against load", 85 * time.Second, runVerb, append([]string{"-rate", "sweep"}, swept...), "sweep.txt", "o"},
		{"cs", "cost against the critical section", 40 * time.Second, runVerb, append([]string{"-cs", "sweep"}, swept...), "cs.txt", "o"},
		{"ncs", "cost against the remainder section", 40 * time.Second, runVerb, append([]string{"-ncs", "sweep"}, swept...), "ncs.txt", "o"},
	}
	for _, policy := range []string{"busy", "pause", "yield", "turns"} {
		args := append([]string{"-wait", policy}, swept...)
		if policy == "busy" || policy == "pause" {
			// With more processes than processors they wait for the operating system: 10 ms
			// and more a passage.
			args = append(args, "-procs", "1,2")
		}
		parts = append(parts, part{"wait-" + policy, "cost with -wait " + policy, 25 * time.Second, runVerb, args, "wait-" + policy + ".txt", "o"})
	}
	return append(parts,
		// Of 256 processes some make no passage within the accesses that a point has.
		part{"predict", "cost on a modeled machine", 15 * time.Second, predictVerb, append([]string{"-procs", "1,2,4,8,16,32,64,128"}, alg...), "predict.txt", "o"},
		part{"stress", "what real cores find", 60 * time.Second, stressVerb, append([]string{"-json", "-d", (2 * f.d).String()}, alg...), "stress.json", ""},
		part{"mutants", "which known-broken locks real cores find, whatever -alg names: they show that stress can fail", 60 * time.Second, stressVerb, []string{"-json", "-mutants", "-alg", killedAnywhere}, "mutants.json", ""},
		part{"check", "proofs and counterexamples", 150 * time.Second, checkVerb, append([]string{"-json", "-replays", "1000"}, alg...), "check.json", ""},
	)
}

// sweptOf matches the locks whose rates and waiting policies are varied: those of -swept
// that -alg names too, or all that -alg names if -swept has none of them.
func (f *allFlags) sweptOf() string {
	if !f.selection.given() || given(f.fs, "swept") {
		return f.swept
	}
	chosen, err := f.selection.locks()
	if err != nil {
		return f.swept // run says what is wrong with -alg
	}
	usual, err := selection{alg: f.swept}.locks()
	if err != nil {
		return f.swept
	}
	both := slices.DeleteFunc(namesOf(chosen), func(name string) bool { return !slices.Contains(namesOf(usual), name) })
	if len(both) == 0 {
		both = namesOf(chosen)
	}
	return exactly(both)
}

// namesOf returns the names of algorithms.
func namesOf(all []shm.Algorithm) []string {
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = a.Name
	}
	return names
}

// exactly is a regular expression for some names of locks.
func exactly(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = regexp.QuoteMeta(name)
	}
	return "^(" + strings.Join(quoted, "|") + ")$"
}

// withVariants is a regular expression for the locks that one matches and their
// variants in layout and stores.
func withVariants(alg string) string {
	matched, err := selection{alg: alg}.locks()
	if err != nil {
		return alg // run says what is wrong with it
	}
	names := namesOf(matched)
	return exactly(namesOf(slices.DeleteFunc(catalog.All(), func(a shm.Algorithm) bool {
		return !slices.Contains(names, a.Name) && !slices.Contains(names, a.VariantOf)
	})))
}

// killedAnywhere are mutants that no machine misses.
const killedAnywhere = "^mutants/(bakery-impatient|peterson-turn-other|filter-greater|ttas-plain-store|ticket-two-served|mcs-never-locked|tas-no-reset)$"

func (f *allFlags) names() (names []string) {
	for _, p := range f.all() {
		names = append(names, p.name)
	}
	return names
}

// chosen are the parts that are asked for.
func (f *allFlags) chosen() ([]part, error) {
	if f.parts == "" {
		return f.all(), nil
	}
	asked := strings.Split(f.parts, ",")
	for _, name := range asked {
		if !slices.Contains(f.names(), name) {
			return nil, fmt.Errorf("-parts %s: there are %s", name, strings.Join(f.names(), ","))
		}
	}
	return slices.DeleteFunc(f.all(), func(p part) bool { return !slices.Contains(asked, p.name) }), nil
}

// idle refuses a flag that was given and changes none of the parts.
func (f *allFlags) idle(parts []part) error {
	for _, name := range []string{"alg", "swept", "d", "count"} {
		if !given(f.fs, name) {
			continue
		}
		usual := flag.NewFlagSet("all", flag.ContinueOnError)
		without := &allFlags{fs: usual}
		without.declare()
		f.fs.Visit(func(g *flag.Flag) {
			if g.Name != name {
				usual.Set(g.Name, g.Value.String())
			}
		})
		others, err := without.chosen()
		if err != nil {
			return err
		}
		if slices.EqualFunc(parts, others, func(p, q part) bool { return p.command("") == q.command("") }) &&
			f.fs.Lookup(name).Value.String() != f.fs.Lookup(name).DefValue {
			return inapplicable(f.fs, "it changes none of the parts that are asked for", name)
		}
	}
	return nil
}

func (f *allFlags) run(ctx context.Context, e env, _ []string) error {
	if f.out == "" {
		return errors.New("say with -o what file to write the page to")
	}
	parts, err := f.chosen()
	if err != nil {
		return err
	}
	if err := f.idle(parts); err != nil {
		return err
	}
	swept := locks()
	swept.Flag = "swept"
	if _, err := selected(selection{alg: f.swept}, swept); err != nil {
		return err
	}
	if _, err := f.selection.locks(); err != nil {
		return err
	}
	if f.dir = strings.TrimSuffix(f.out, filepath.Ext(f.out)); f.dir == f.out {
		f.dir += "-data"
	}
	for _, p := range parts {
		file := filepath.Join(f.dir, p.file)
		if _, err := os.Stat(file); err == nil && p.flag != "" {
			return fmt.Errorf("%s is there already: name another -o, or remove it first", file)
		}
	}
	if err := os.MkdirAll(f.dir, 0o777); err != nil {
		return err
	}
	w := progress{flags: f, env: e, pace: newPace()}
	for i, p := range parts {
		if ctx.Err() != nil {
			break
		}
		fmt.Fprintf(e.Stderr, "%d of %d, %s; %s left: %s\n", i+1, len(parts), p.about, w.pace.left(parts[i:]), p.command(f.dir))
		if err := w.do(ctx, p); err != nil {
			return err
		}
	}
	return w.end(ctx, len(parts))
}

// progress is what has been done so far.
type progress struct {
	flags *allFlags
	env   env
	pace  *pace
	files []string
	parts []partDone
	says  []report.Recommendation // of the latest page
}

// allDone is what -json prints.
type allDone struct {
	Recommendations []report.Recommendation `json:"recommendations,omitempty"`
	Parts           []partDone              `json:"parts"`
}

// partDone is what -json says of a part.
type partDone struct {
	Part, Command, File string
	Status              int // the verb's exit status
}

// do makes one part and the page with it.
func (w *progress) do(ctx context.Context, p part) error {
	file := filepath.Join(w.flags.dir, p.file)
	code, err := p.make(ctx, w.env, w.flags.dir)
	w.pace.done(p)
	w.parts = append(w.parts, partDone{p.name, p.command(w.flags.dir), file, code})
	if err != nil {
		return err
	}
	if _, err := os.Stat(file); err != nil {
		return nil // the verb has said why
	}
	w.files = append(w.files, file)
	in, err := report.Read(context.WithoutCancel(ctx), w.files)
	if err != nil {
		fmt.Fprintf(w.env.Stderr, "shmbench all: %s\n", printable(err.Error()))
		return nil // the next part may have something to report
	}
	know(in)
	w.says = in.Recommendations()
	return writeFile(w.flags.out, nil, in.Write)
}

// end says what there is, and whether it is all and holds.
func (w *progress) end(ctx context.Context, parts int) error {
	count := func(code int) (n int) {
		for _, p := range w.parts {
			if p.Status == code {
				n++
			}
		}
		return n
	}
	if w.flags.json {
		if err := writeJSON(w.env.Stdout, "all", ctx.Err() == nil && count(exitUsage)+count(exitUndecided) == 0, allDone{w.says, w.parts}); err != nil {
			return err
		}
	} else if info, err := os.Stat(w.flags.out); err == nil && len(w.files) > 0 {
		writeRecommendations(w.env.Stdout, w.says)
		fmt.Fprintf(w.env.Stdout, "%s: %d of %d parts, with their data in %s, %.1f MB\n", w.flags.out, len(w.files), parts, w.flags.dir, float64(info.Size())/1e6)
	}
	open := interrupted(ctx, "the page has %d of %d parts", len(w.files), parts)
	switch {
	case count(exitViolated) > 0:
		if open != nil {
			fmt.Fprintln(w.env.Stderr, open)
		}
		return errViolated
	case open != nil:
		return open
	case count(exitUsage) > 0:
		return fmt.Errorf("%d of %d parts ended in an error", count(exitUsage), parts)
	case count(exitUndecided) > 0:
		return cutShort("%d of %d parts are undecided or cut short", count(exitUndecided), parts)
	}
	return nil
}
