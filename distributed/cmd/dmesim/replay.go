package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"shmbench/distributed/playback"
	"shmbench/distributed/scenario"
	"shmbench/internal/cli"
)

var replayVerb = cli.Verb{
	Name:    "replay",
	Summary: "replay a worked example or a trace from a file of events",
	Args:    "NAME",
	Example: "dmesim replay ricart-agrawala\n" +
		"dmesim replay ./trace.txt -o trace.mmd\n" +
		"dmesim explore -alg alien-v1-printed -requests 2 -o trace.txt",
	Setup: func(fs *flag.FlagSet) cli.Body {
		out := fs.String("o", "", "also write the steps into this `file`: with the ending .html a page on which a reader steps through them, with .mmd a Mermaid sequence diagram")
		cli.Writes(fs, "o")
		var asJSON bool
		cli.JSONFlag(fs, &asJSON)
		return guarded(fs, func(ctx context.Context, e cli.Env, args []string) error {
			if len(args) != 1 {
				return errors.New("name one scenario: a shipped one, which dmesim list shows, or a file with a / or a dot in its name")
			}
			ending := filepath.Ext(*out)
			if *out != "" && ending != ".html" && ending != ".mmd" {
				return fmt.Errorf("-o %s: its ending must be .html or .mmd", *out)
			}
			s, err := readScenario(args[0])
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return cli.CutShort("interrupted")
			}
			r, err := s.Play()
			if err != nil {
				return err
			}
			switch ending {
			case ".html":
				err = playback.Played(r).WritePage(e.Stderr, *out)
			case ".mmd":
				err = cli.WriteFile(*out, nil, r.WriteMermaid)
			}
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(e.Stdout, "replay", true, r)
			} else {
				err = r.WriteText(e.Stdout)
			}
			if err == nil && r.Failed != "" {
				err = cli.ErrViolated
			}
			return err
		})
	},
}

func readScenario(name string) (*scenario.Scenario, error) {
	if !strings.ContainsAny(name, "./") {
		if near := cli.Nearest(name, scenario.Names()); near != "" && near != name {
			return nil, fmt.Errorf("no scenario %q; did you mean %q?", name, near)
		}
		return scenario.Shipped(name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return scenario.Parse(name, string(text))
}
