package predict

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteParameters writes what a machine was fitted to, by name and value, and what is assumed.
func (m *Machine) WriteParameters(w io.Writer) error {
	values := m.times()
	for level, ns := range m.Transfer {
		values["transfer_ns."+level] = ns
	}
	values["oldest_chance"], values["sibling_work"], values["sibling_poll"] = m.OldestChance, m.SiblingWork, m.SiblingPoll
	if m.InvalidateFactor > 0 {
		values["invalidate_factor"] = m.InvalidateFactor
	}
	values["own_store_chance"], values["merged_store_chance"] = m.OwnStoreChance, m.MergedStoreChance
	var fitted, taken, others []string
	for name, v := range values {
		text := fmt.Sprintf("%s %.4g", name, v)
		switch {
		case slices.Contains(m.Fitted, name):
			fitted = append(fitted, text)
		case slices.Contains(m.Taken, name):
			taken = append(taken, text)
		default:
			others = append(others, text)
		}
	}
	slices.Sort(fitted)
	slices.Sort(taken)
	slices.Sort(others)
	if m.Source != "" {
		if _, err := fmt.Fprintf(w, "sources: %s\n", m.Source); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "topology %s, order %s, policy %s\nfitted (%d): %s\nmeasured by themselves: %s\nneither: %s\nassumed, not measured there: %s\n",
		m.Topology, m.Order, m.Policy, len(fitted), list(fitted), list(taken), list(others), list(m.Assumed))
	return err
}

// Residual is the error of a fitted machine at a point: ln(model/measured).
type Residual struct {
	Curve     string  `json:"curve"`
	Processes int     `json:"processes"`
	Log       float64 `json:"log"`
}

// WriteResiduals writes a line for each curve.
func WriteResiduals(w io.Writer, residuals []Residual) error {
	var lines, words []string
	for i, r := range residuals {
		words = append(words, fmt.Sprintf("%d %+.3f", r.Processes, r.Log))
		if i == len(residuals)-1 || residuals[i+1].Curve != r.Curve {
			lines = append(lines, fmt.Sprintf("    %s: %s", r.Curve, strings.Join(words, ", ")))
			words = nil
		}
	}
	_, err := fmt.Fprintf(w, "residuals, ln(model/measured) by processes:\n%s\n", strings.Join(lines, "\n"))
	return err
}

func list(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}
