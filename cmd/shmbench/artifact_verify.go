package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"shmbench/cmd/shmbench/artifact"
	"shmbench/internal/build/scratch"
	"shmbench/internal/cli"
)

var artifactVerifyVerb = verb{
	Name:    "artifact verify",
	Summary: "rerun everything of an artifact, and compare",
	Args:    "DIR",
	Example: "shmbench artifact verify clh-artifact",
	Setup: func(*flag.FlagSet) body {
		return func(ctx context.Context, e env, args []string) error {
			if len(args) != 1 {
				return errors.New("give the one folder of the artifact")
			}
			return verifyArtifact(ctx, e, args[0])
		}
	},
}

// verifyArtifact reruns an artifact in a folder of its own, and compares. The user's lock is that
// in the folder source of the artifact.
func verifyArtifact(ctx context.Context, e env, dir string) error {
	was, before, err := openArtifact(ctx, dir)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	sources, err := artifact.ReadSources(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if changed := artifact.Changed(dir, sources); changed != "" {
		fmt.Fprintf(e.Stdout, "%s: the folder source is not that of SHA256SUMS: %s; nothing was rerun\n", dir, changed)
		return errViolated
	}
	if is := cli.Version(); is != was.Version {
		fmt.Fprintf(e.Stderr, "the artifact was made by %s, and this is %s\n", was.Version, is)
	}
	temp, remove, err := scratch.Folder("", "shmbench-artifact-")
	if err != nil {
		return err
	}
	defer remove()
	now := *was
	says, err := now.unpack(ctx, dir, filepath.Join(temp, "source"), sources)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	data := filepath.Join(temp, "data")
	if err := os.Mkdir(data, 0o777); err != nil {
		return err
	}
	if err := makeParts(ctx, e, now.parts(data), data); err != nil {
		return err
	}
	after, err := now.read(ctx, data)
	if err != nil {
		return err
	}
	return sayDifferences(e.Stdout, dir, before, after, says)
}

// sayDifferences prints what says has, and how the data after are not those before. If that is nothing, it says so.
func sayDifferences(w io.Writer, dir string, before, after artifact.Input, says []string) error {
	measured := artifact.Compare(before.Costs, before.Lock)
	says = append(says, artifact.Differences(before.Claims, after.Claims)...)
	says = append(says, artifact.Differences(before.Others, after.Others)...)
	says = append(says, artifact.Reversed(measured, artifact.Compare(after.Costs, after.Lock))...)
	for _, line := range says {
		fmt.Fprintln(w, line)
	}
	if says != nil {
		return errViolated
	}
	fmt.Fprintf(w, "%s: %d verdicts are equal, and no order of %d comparisons is reversed beyond the intervals\n",
		dir, len(before.Claims)+len(before.Others), len(measured))
	return nil
}

// openArtifact reads the command and the data of a complete artifact.
func openArtifact(ctx context.Context, dir string) (*artifactCommand, artifact.Input, error) {
	c, err := readCommand(dir)
	if err != nil {
		return nil, artifact.Input{}, fmt.Errorf("it is no artifact: %w", err)
	}
	in, err := c.read(ctx, filepath.Join(dir, "data"))
	if errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf("the artifact is not complete, and its command continues it: %w", err)
	}
	return c, in, err
}

// unpack copies the module of the user's lock into a folder, and makes the command use the copy. A lock of
// the catalog is that of this program. says names its source if that differs from the checksums.
func (c *artifactCommand) unpack(ctx context.Context, dir, to string, sources map[string][]byte) (says []string, err error) {
	if !cli.IsPackage(c.Lock) {
		here, err := c.sources(ctx, dir)
		if changed := artifact.Changed(dir, here); err == nil && changed != "" {
			says = append(says, "the lock of this program is not that of the artifact: "+changed)
		}
		return says, err
	}
	named, err := cli.ParsePackage(c.Lock)
	if err != nil {
		return nil, err
	}
	named.Path = filepath.Join(to, filepath.FromSlash(c.Folder))
	c.Lock = named.String()
	return nil, writeModule(ctx, to, sources)
}
