// Package table prints the tables of this project: columns two blanks apart.
package table

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// New returns the writer of a table whose columns are flush left. Heads are the first row.
// The cells of a row that is written to it have tabs between them; Flush ends the table.
func New(w io.Writer, heads ...string) *tabwriter.Writer { return begin(w, 0, heads) }

// Right is New with columns that are flush right, as numbers are.
func Right(w io.Writer, heads ...string) *tabwriter.Writer {
	return begin(w, tabwriter.AlignRight, heads)
}

func begin(w io.Writer, flags uint, heads []string) *tabwriter.Writer {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', flags)
	if heads != nil {
		fmt.Fprintln(t, strings.Join(heads, "\t"))
	}
	return t
}
