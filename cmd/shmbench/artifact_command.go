package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"shmbench/bench"
	"shmbench/bench/benchfile"
	"shmbench/cmd/shmbench/artifact"
	"shmbench/internal/cli"
	"shmbench/shm"
)

// artifactCommand is the command that makes an artifact, as the folder keeps it.
type artifactCommand struct {
	Lock    string `json:"lock"` // the name of one of the catalog, or a cli.Package
	Against string `json:"against"`
	Procs   string `json:"procs"`
	// Folder is that of the package in its module, with slashes, and Version that of the program.
	Folder  string `json:"folder,omitempty"`
	Version string `json:"version"`
}

const commandFile = "command.json"

// readCommand returns the command of an artifact.
func readCommand(dir string) (*artifactCommand, error) {
	text, err := os.ReadFile(filepath.Join(dir, commandFile))
	if err != nil {
		return nil, err
	}
	c := new(artifactCommand)
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("%s: %w", commandFile, err)
	}
	if c.Folder != "" && !filepath.IsLocal(filepath.FromSlash(c.Folder)) {
		return nil, fmt.Errorf("%s: the folder %q is not in the folder source: the folder of the package must be a path below source, such as %q", commandFile, c.Folder, "mylock")
	}
	return c, nil
}

func (c *artifactCommand) write(dir string) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, commandFile), append(text, '\n'), 0o666)
}

func (c *artifactCommand) against() []string { return strings.Split(c.Against, ",") }

// line is the command line.
func (c *artifactCommand) line() string {
	return strings.Join([]string{"shmbench artifact", cli.Quote(c.Lock), "-against", c.Against, "-procs", c.Procs, "-o", "DIR"}, " ")
}

// read reads the data of an artifact.
func (c *artifactCommand) read(ctx context.Context, data string) (in artifact.Input, err error) {
	in = artifact.Input{Lock: c.Lock, Command: c.line(), Version: c.Version}
	if in.Claims, err = readClaims(filepath.Join(data, "check.json")); err != nil {
		return in, err
	}
	if in.Others, err = readClaims(filepath.Join(data, "check-against.json")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return in, err
	}
	if in.Costs, err = readCosts(ctx, filepath.Join(data, "run.txt")); err != nil {
		return in, err
	}
	if cli.IsPackage(c.Lock) {
		in.Lock = c.own(in)
	}
	for _, file := range []string{"predict-here.txt", "predict-here-lock.txt"} {
		predicted, err := readCosts(ctx, filepath.Join(data, file))
		if err != nil {
			return in, err
		}
		in.Predictions = append(in.Predictions, artifact.Predictions(in.Costs, predicted)...)
	}
	for _, name := range append(c.against(), c.Lock) {
		if a, err := locks().Get(name); err == nil && a.Source != (shm.Source{}) {
			in.Cited = append(in.Cited, a.Source)
		}
	}
	return in, nil
}

// own is the name of the user's lock in the results, or in the verdicts if it has no results.
func (c *artifactCommand) own(in artifact.Input) string {
	for _, cost := range in.Costs {
		if !slices.Contains(c.against(), cost.Lock) && !bench.IsNull(cost.Lock) {
			return cost.Lock
		}
	}
	if len(in.Claims) > 0 {
		return in.Claims[0].Algorithm
	}
	return c.Lock
}

// readCosts reads the costs in a file of results, which are none if there is no file.
func readCosts(ctx context.Context, file string) ([]artifact.Cost, error) {
	results, err := benchfile.Open(ctx, file, nil)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return artifact.Costs(results.Results), nil
}
