package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"shmbench/distributed/natsnet/harness"
	"shmbench/internal/cli/table"
)

// took returns how long it took until all live nodes had entered again.
func (r *row) took() time.Duration {
	if r.After < time.Second {
		return r.After.Round(10 * time.Millisecond)
	}
	return r.After.Round(100 * time.Millisecond)
}

// others says whether the live nodes continue.
func (r *row) others() string {
	if !r.GoesOn {
		return "stop"
	}
	return fmt.Sprintf("go on, all within %v", r.took())
}

// seen returns the other observations of r.
func (r *row) seen() string {
	var seen []string
	if r.GoesOn && r.Says != "" {
		seen = append(seen, r.Says)
	}
	if r.Two {
		seen = append(seen, "two in their critical sections, or a token not greater")
	}
	if r.Refused > 0 {
		seen = append(seen, fmt.Sprintf("old tokens refused: %d", r.Refused))
	}
	if r.Lost > 0 {
		seen = append(seen, fmt.Sprintf("UPDATES LOST: %d", r.Lost))
	}
	return strings.Join(seen, "; ")
}

func (f *faultsFlags) print(w io.Writer, rows []row) error {
	for _, fault := range harness.Faults {
		if slices.ContainsFunc(rows, func(r row) bool { return r.Fault == fault.Name }) {
			fmt.Fprintf(w, "%s: %s\n", fault.Name, fault.What)
		}
	}
	fmt.Fprintf(w, "\nThose that live are to enter again, one after the other, each within %v of asking.\n\n", f.deadline)
	t := table.New(w, "algorithm", "fault", "claimed", "the others", "sent again", "the explorer, of fewer nodes", "seen")
	for _, r := range rows {
		claimed := "no"
		if r.Claimed {
			claimed = "yes"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", r.Algorithm, r.Fault, claimed, r.others(), r.Resent, cmp.Or(r.Explored, "-"), r.seen())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		if !r.GoesOn {
			fmt.Fprintf(w, "\n%s, %s: %s\n", r.Algorithm, r.Fault, r.Says)
		}
	}
	return nil
}

// markdown prints rows as a table. The explorer's words are in italics, and
// claims are bold.
func markdown(w io.Writer, rows []row) error {
	var names []string
	for _, fault := range harness.Faults {
		if slices.ContainsFunc(rows, func(r row) bool { return r.Fault == fault.Name }) {
			names = append(names, fault.Name)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| algorithm | %s |\n|---%s|\n", strings.Join(names, " | "), strings.Repeat("|---", len(names)))
	for len(rows) > 0 {
		alg := rows[0].Algorithm
		cells := make([]string, len(names))
		for len(rows) > 0 && rows[0].Algorithm == alg {
			cells[slices.Index(names, rows[0].Fault)] = rows[0].cell()
			rows = rows[1:]
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", alg, strings.Join(cells, " | "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *row) cell() string {
	text := "stop"
	if r.GoesOn {
		text = r.took().String()
	}
	if r.Claimed {
		text = "**" + text + "**"
	}
	if r.Two {
		text += ", two inside"
	}
	if r.Refused > 0 {
		text += fmt.Sprintf(", %d refused", r.Refused)
	}
	if r.Lost > 0 {
		text += fmt.Sprintf(", %d LOST", r.Lost)
	}
	if r.Explored != "" {
		text += "; *" + r.Explored + "*"
	}
	return text
}
