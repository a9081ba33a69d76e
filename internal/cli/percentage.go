package cli

import (
	"errors"
	"strconv"
	"strings"
)

// Percentage is the flag value of a part of a hundred: "5%" is 0.05.
type Percentage struct {
	Part  float64
	Given bool // it was set
}

// Set reads a percentage such as "5%".
func (p *Percentage) Set(s string) error {
	v, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || !strings.HasSuffix(s, "%") || !(v >= 0 && v <= 1e6) {
		return errors.New("a percentage is like 5%, and not negative")
	}
	*p = Percentage{v / 100, true}
	return nil
}

func (p *Percentage) String() string {
	if !p.Given {
		return ""
	}
	return strconv.FormatFloat(100*p.Part, 'g', -1, 64) + "%"
}
