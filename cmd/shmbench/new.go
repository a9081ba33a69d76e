package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"shmbench/cmd/shmbench/newmodule"
)

var newVerb = verb{
	Name:    "new",
	Summary: "write a module for a lock of your own, with its specification and tests",
	Args:    "DIR",
	About:   "The lock and its package have the name of DIR.",
	Example: "shmbench new ../mylock\n" +
		"shmbench new mylock -kind reader-writer -replace ~/shmbench",
	Setup: func(fs *flag.FlagSet) body {
		var o newmodule.Options
		fs.StringVar(&o.Kind, "kind", newmodule.Kinds[0], "the `kind` of the lock: "+strings.Join(newmodule.Kinds, ", "))
		fs.StringVar(&o.Checkout, "replace", "", "the `folder` of the checkout of shmbench that the new module uses (default the checkout around the current folder)")
		return func(ctx context.Context, e env, args []string) error {
			if len(args) != 1 {
				return errors.New("give the one folder of the new module, as in shmbench new mylock")
			}
			o.Dir = args[0]
			m, err := newmodule.Write(ctx, o)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(e.Stdout, "%s has the module %s: %s\nnext: cd %s && go test ./...\n", o.Dir, m.Path, strings.Join(m.Files, ", "), o.Dir)
			return err
		}
	},
}
