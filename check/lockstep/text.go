package lockstep

import (
	"fmt"
	"io"
	"strings"

	"shmbench/check/internal/trace"
	"shmbench/internal/cli/table"
)

// WriteText prints the execution round by round, with a column for each process
// and a line for each step.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, n = %d, lines a round: %d, rounds in the critical section: %d\n", r.Algorithm, r.N, r.Lines, r.CS)
	for _, round := range r.Rounds {
		fmt.Fprintf(&b, "\nround %d\n", round.Number)
		round.table(&b)
	}
	fmt.Fprintf(&b, "\nentries: %s\nlast round: %d\n", ids(r.Entries), r.LastRound)
	if len(r.Waiting) > 0 {
		fmt.Fprintf(&b, "given up after %d rounds, while these still wait: %s\n", maxRounds, ids(r.Waiting))
	}
	_, err := io.WriteString(w, trace.TrimLines(b.String()))
	return err
}

func (r Round) table(b *strings.Builder) {
	pids := r.Processes()
	t := table.New(b)
	fmt.Fprint(t, "  step")
	for _, pid := range pids {
		fmt.Fprintf(t, "\tprocess %d", pid)
	}
	fmt.Fprintln(t)
	for i, lines := range r.Steps {
		fmt.Fprintf(t, "  %d", i+1)
		for _, pid := range pids {
			fmt.Fprint(t, "\t")
			for _, l := range lines {
				if l.Process == pid {
					fmt.Fprint(t, l.String())
				}
			}
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

// String shows a line as its label, its accesses, and what it brings about.
func (l Line) String() string {
	var parts []string
	for _, s := range l.Accesses {
		s.Label, s.Turn = "", ""
		parts = append(parts, s.What())
	}
	text := l.Label + "  " + strings.Join(parts, ", ")
	if l.Does != "" {
		text += " [" + l.Does + "]"
	}
	return text
}

func ids(pids []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(pids), " ", ", "), "[]")
}
