package main

import (
	"context"
	"io"

	"shmbench/bench"
	"shmbench/internal/cli/tty"
	"shmbench/internal/machine/topo"
	"shmbench/report"
	"shmbench/report/rank"
)

// runColumns explains what run prints.
var runColumns = "Medians of all samples, times in ns. Without -long, columns that help to choose a lock.\n" + rank.Columns()

// print writes the rankings, with plots on a terminal.
func (f *runFlags) print(ctx context.Context, w io.Writer, config []topo.Pair, rec *recorder) error {
	ranking := rank.New(rec.results())
	ranking.Pair, ranking.Traits = bench.TransferPair(bench.Pinning(f.pin)), report.Traits(rec.now.Algorithms)
	if f.json {
		return rec.writeJSON(ctx, w, config, ranking.Answers())
	}
	var err error
	if f.long {
		err = ranking.WriteText(w)
	} else {
		err = ranking.WriteShort(w, "-long", rank.View{Plots: tty.Is(w), Color: tty.Color(w)})
	}
	return first(err, writeLayouts(w, ranking))
}
