package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"shmbench/distributed/scenario"
	"shmbench/internal/cli"
	"shmbench/internal/steps"
)

var replayVerb = cli.Verb{
	Name:    "replay",
	Summary: "replay a worked example or a trace from a file of events",
	Example: "dmesim replay -list\n" +
		"dmesim replay -scenario ricart-agrawala\n" +
		"dmesim replay -scenario ./trace.txt -mermaid\n" +
		"dmesim explore -alg alien-v1-printed -requests 2 -scenario trace.txt",
	Setup: func(fs *flag.FlagSet) cli.Body {
		name := fs.String("scenario", "", "a shipped scenario's name, or a `file` with a / or a dot in its name; go doc shmbench/distributed/scenario says what is in it")
		list := fs.Bool("list", false, "list the shipped scenarios and end")
		mermaid := fs.Bool("mermaid", false, "print a Mermaid sequence diagram")
		page := fs.String("html", "", steps.Usage)
		cli.Writes(fs, "html")
		cli.MayRead(fs, "scenario")
		var asJSON bool
		cli.JSONFlag(fs, &asJSON)
		return guarded(fs, func(ctx context.Context, e cli.Env, _ []string) error {
			if *list {
				if err := onlyList(fs); err != nil {
					return err
				}
				for _, n := range scenario.Names() {
					s, err := scenario.Shipped(n)
					if err != nil {
						return err
					}
					if _, err := fmt.Fprintf(e.Stdout, "%-24s %s\n", n, s.Title); err != nil {
						return err
					}
				}
				return nil
			}
			if *name == "" {
				return errors.New("no scenario: give -scenario; -list shows the names")
			}
			if *mermaid && asJSON {
				return errors.New("-mermaid goes without -json")
			}
			s, err := readScenario(*name)
			if err != nil {
				return cli.Of(fs, "scenario", err)
			}
			if ctx.Err() != nil {
				return cli.CutShort("interrupted")
			}
			r, err := s.Play()
			if err != nil {
				return err
			}
			if *page != "" {
				if err := steps.WritePage(*page, replayFormat, r, nil); err != nil {
					return err
				}
			}
			switch {
			case asJSON:
				err = cli.WriteDocument(e.Stdout, replayFormat, true, r)
			case *mermaid:
				err = r.Mermaid(e.Stdout)
			default:
				err = r.Text(e.Stdout)
			}
			if err == nil && r.Failed != "" {
				err = cli.ErrViolated
			}
			return err
		})
	},
}

// replayFormat is what replay -json prints.
var replayFormat = fmt.Sprintf("dmesim replay %d", cli.JSONVersion)

func readScenario(name string) (*scenario.Scenario, error) {
	if !strings.ContainsAny(name, "./") {
		return scenario.Shipped(name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return scenario.Parse(name, string(text))
}
