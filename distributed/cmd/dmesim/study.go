package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"shmbench/distributed"
	"shmbench/distributed/sim"
	"shmbench/distributed/study"
	"shmbench/internal/cli"
)

var studyVerb = cli.Verb{
	Name:    "study",
	Summary: "repeat the alien-threads study and test its claims",
	Example: "dmesim study -o study\ndmesim study -alg 'raymond|alien' -vary 'delay=exp:50ms; tree=star'\ndmesim study -json | jq -c '.results[] | select(.rate == 1) | [.algorithm, .threads, .messages_per_entry]'",
	Groups: []cli.Group{
		{Heading: cli.Output, Flags: []string{"json", "o"}},
		{Heading: cli.Bounds, Flags: []string{"entries", "warmup", "replications"}},
	},
	Setup: func(fs *flag.FlagSet) cli.Body {
		p := study.Paper()
		choose := chooseSome(fs, algorithms)
		fs.Var((*cli.Numbers[int])(&p.Nodes), "nodes", "`numbers` of nodes; the claims are about the first")
		nodesLimit(fs, distributed.MaxNodes)
		fs.Var((*cli.Numbers[int])(&p.Threads), "threads", "`numbers` of threads a node")
		cli.Between(fs, "threads", 1, distributed.MaxThreads, "the number of threads")
		fs.Var((*cli.Numbers[float64])(&p.Rates), "rates", "λ: `requests` a second and node")
		cli.Between(fs, "rates", sim.LeastRate, sim.MostRate, "the number of requests a second")
		fs.IntVar(&p.Entries, "entries", p.Entries, "entries a point, all replications together")
		cli.AtLeast(fs, "entries", 1, "the number of entries")
		fs.IntVar(&p.Warmup, "warmup", p.Warmup, "entries before measuring, in each replication")
		cli.AtLeast(fs, "warmup", 0, "the number of entries")
		fs.IntVar(&p.Replications, "replications", p.Replications, "independent runs a point")
		cli.Between(fs, "replications", 2, maxReplications, "the number of runs")
		vary := fs.String("vary", "", "what the paper leaves open or keeps fixed: a reading, which is system-rate, any-thread, until-exit, fixed-delay or overtaking; or cs=TIME, delay=TIME, tree=TREE; several with semicolons")
		claims := fs.Bool("claims", true, "test the text's claims, with other numbers of nodes and readings too, unless -alg leaves out one of the algorithms that they are about")
		var asJSON bool
		cli.JSONFlag(fs, &asJSON)
		out := fs.String("o", "", "also write figures, points and claims into this `directory`")
		cli.WritesFolder(fs, "o")
		return apart(fs, func(ctx context.Context, e cli.Env, _ []string) error {
			var err error
			if choose.alg != "" {
				if p.Algorithms, err = choose.mutexes(); err != nil {
					return err
				}
			}
			if err := cli.Of(fs, "vary", varied(*vary, &p)); err != nil {
				return err
			}
			if *out != "" {
				if err := os.MkdirAll(*out, 0o755); err != nil {
					return err
				}
			}
			r, err := measured(ctx, e, "runs", func(progress func(done, of int)) (study.Report, error) {
				return study.Study(ctx, p, *claims && p.Full() && (!asJSON || *out != ""), progress)
			})
			if err != nil {
				return err
			}
			missing := cli.Interrupted(ctx, "%d of %d points are complete", len(r.Points), len(p.Nodes)*len(p.Threads)*len(p.Rates)*len(p.Algorithms))
			if *out != "" {
				if err := writeStudy(*out, missing, r, p); err != nil {
					return err
				}
			}
			return printed(e, "study", asJSON, r.Points, func(w io.Writer) error {
				return cli.First(study.Points(r.Points).WriteText(w), writeClaims(w, r.Findings))
			}, missing)
		})
	},
}

// varied changes the plan as -vary says.
func varied(text string, p *study.Plan) (err error) {
	for part := range strings.SplitSeq(text, ";") {
		name, value, given := strings.Cut(strings.TrimSpace(part), "=")
		switch {
		case !given:
			if name != "" && p.Reading.Name != "" {
				return fmt.Errorf("%s and %s: a study has one reading", p.Reading.Name, name)
			}
			p.Reading, err = study.FindReading(name)
		case name == "cs":
			p.Section, err = sim.ParseDistribution(value)
		case name == "delay":
			p.Delay, err = sim.ParseDistribution(value)
		case name == "tree":
			p.Tree, err = treeOf(p, value)
		default:
			err = fmt.Errorf("%q: what can be varied is cs, delay, tree and the reading", part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// treeOf returns the tree that -vary names, on which the algorithms of the plan must be able
// to route.
func treeOf(p *study.Plan, tree string) (string, error) {
	if !slices.ContainsFunc(p.Algorithms, ofTree.takes) {
		return "", fmt.Errorf("tree=%s: none of the algorithms has a tree", tree)
	}
	text, err := treeText(tree)
	for _, n := range p.Nodes {
		if err == nil {
			_, err = distributed.ParseTree(text, n)
		}
	}
	return text, err
}

func writeClaims(w io.Writer, findings []study.Finding) error {
	if len(findings) == 0 {
		return nil
	}
	fmt.Fprint(w, "what the text claims, and the rates at which the intervals bear it out\n\n")
	if err := study.Findings(findings).WriteText(w); err != nil {
		return err
	}
	fmt.Fprint(w, "\nreadings\n\n")
	return study.WriteReadings(w)
}

// writeStudy writes the files of -o: the paper numbers its figures from 3.
func writeStudy(dir string, missing error, r study.Report, p study.Plan) error {
	files := map[string]func(w io.Writer) error{
		"points.json": func(w io.Writer) error { return writeJSON(w, "study", missing == nil, r.Points) },
		"points.txt":  func(w io.Writer) error { return study.Points(r.Points).WriteText(w) },
	}
	if len(r.Findings) > 0 {
		files["claims.txt"] = func(w io.Writer) error { return writeClaims(w, r.Findings) }
		files["claims.json"] = func(w io.Writer) error { return writeJSON(w, "study", missing == nil, r.Findings) }
	}
	for i, n := range p.Nodes {
		for j, m := range p.Threads {
			name := fmt.Sprintf("figure%d.svg", 3+j)
			if i > 0 {
				name = fmt.Sprintf("figure%d-nodes%d.svg", 3+j, n)
			}
			files[name] = func(w io.Writer) error { return study.WriteFigure(w, r.Points, n, m) }
		}
	}
	for name, write := range files {
		if err := cli.WriteFile(filepath.Join(dir, name), missing, write); err != nil {
			return err
		}
	}
	return nil
}
