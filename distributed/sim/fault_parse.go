package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"shmbench/distributed"
)

// FaultForms is an example of every fault as ParseFaults reads it.
const FaultForms = `crash 3 at 5s; restart 3 at 7s; cut 0,1 at 9s; heal at 12s; lose 0>1 at 3s; copy 0>1 at 3s; crash-inside at 4s; crash-resting at 4s; crash-sending 3 at 4s; hang at 4s`

// ParseFaults reads a schedule of faults with semicolons between them, each
// in one of the forms of FaultForms.
func ParseFaults(text string) ([]Fault, error) {
	var faults []Fault
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		f, ok := parseFault(strings.Fields(part))
		if !ok {
			return nil, fmt.Errorf("%q is no fault: want faults such as %q", part, FaultForms)
		}
		faults = append(faults, f)
	}
	return faults, nil
}

func parseFault(words []string) (f Fault, ok bool) {
	if len(words) < 3 || words[len(words)-2] != "at" {
		return f, false
	}
	at, err := time.ParseDuration(words[len(words)-1])
	kind := slices.Index(faultNames[:], words[0])
	if err != nil || kind < 0 {
		return f, false
	}
	f.At, f.Kind = at, FaultKind(kind)
	operand := ""
	switch len(words) {
	case 3:
	case 4:
		operand = words[1]
	default:
		return f, false
	}
	switch f.Kind {
	case Heal, CrashInside, CrashResting, Hang:
		return f, operand == ""
	case Crash, Restart, CrashSending:
		f.Node, ok = parseID(operand)
	case Lose, Copy:
		from, to, _ := strings.Cut(operand, ">")
		f.Node, ok = parseID(from)
		if ok {
			f.To, ok = parseID(to)
		}
	case Cut:
		for id := range strings.SplitSeq(operand, ",") {
			node, good := parseID(id)
			if !good {
				return f, false
			}
			f.Side = append(f.Side, node)
		}
		ok = true
	}
	return f, ok
}

func parseID(text string) (distributed.ID, bool) {
	i, err := strconv.ParseInt(text, 10, 32)
	return distributed.ID(i), err == nil
}
