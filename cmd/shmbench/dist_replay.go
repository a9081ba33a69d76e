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

var distReplay = verb{
	Name:    "dist replay",
	Summary: "replay a worked example or a trace from a file of events",
	Example: "shmbench dist replay -list\n" +
		"shmbench dist replay -scenario ricart-agrawala\n" +
		"shmbench dist replay -scenario ./trace.txt -mermaid\n" +
		"shmbench dist explore -alg alien-v1-printed -requests 2 -scenario trace.txt",
	Setup: func(fs *flag.FlagSet) body {
		name := fs.String("scenario", "", "a shipped scenario's name, or a `file` with a / or a dot in its name; go doc shmbench/distributed/scenario says what is in it")
		list := fs.Bool("list", false, "list the shipped scenarios and end")
		mermaid := fs.Bool("mermaid", false, "print a Mermaid sequence diagram")
		page := fs.String("html", "", steps.Usage)
		cli.Writes(fs, "html")
		cli.MayRead(fs, "scenario")
		var asJSON bool
		jsonFlag(fs, &asJSON)
		return guarded(fs, func(ctx context.Context, e env, _ []string) error {
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
				return cutShort("interrupted")
			}
			r, err := s.Play()
			if err != nil {
				return err
			}
			if *page != "" {
				if err := writeSteps(*page, distReplayFormat, r, nil); err != nil {
					return err
				}
			}
			switch {
			case asJSON:
				err = writeDocument(e.Stdout, distReplayFormat, true, r)
			case *mermaid:
				err = r.Mermaid(e.Stdout)
			default:
				err = r.Text(e.Stdout)
			}
			if err == nil && r.Failed != "" {
				err = errViolated
			}
			return err
		})
	},
}

// distReplayFormat is what dist replay -json prints.
var distReplayFormat = fmt.Sprintf("shmbench dist replay %d", jsonVersion)

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
