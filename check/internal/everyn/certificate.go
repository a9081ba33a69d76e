package everyn

import (
	"encoding/json"
	"io"
)

// Format is the format of a certificate.
const Format = "shmbench views 1"

// certificate is a Proof as JSON. docs/every-n.md describes it, and cmd/viewcheck verifies it.
type certificate struct {
	Format   string    `json:"format"`
	Lock     string    `json:"lock"`
	Compared []int     `json:"compared"` // the numbers of processes for which the template equals the source
	Template *Template `json:"template"`
	Levels   []views   `json:"levels"`
}

// views are the views of so many processes.
type views struct {
	Size  int     `json:"size"`
	Views [][]int `json:"views"`
}

// WriteCertificate writes a proof that holds.
func (p *Proof) WriteCertificate(w io.Writer) error {
	c := certificate{Format: Format, Lock: p.Lock, Compared: Compared, Template: p.Template}
	for _, l := range p.Levels {
		c.Levels = append(c.Levels, views{l.Size, numbers(l.Views)})
	}
	return json.NewEncoder(w).Encode(c)
}

func numbers(all []View) [][]int {
	out := make([][]int, len(all))
	for i, v := range all {
		for k := range len(v) {
			out[i] = append(out[i], int(v[k]))
		}
	}
	return out
}
