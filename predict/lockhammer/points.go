package lockhammer

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Point is one measured figure.
type Point struct {
	Host, Lock string
	Load
	Threads int
	NS      float64
}

// ReadPoints reads a table of points: fields between white space, a heading that
// names them (host lock cs_ns ncs_ns threads, and ns or ns_per_acquisition_median; others are
// ignored), a line a point.
func ReadPoints(r io.Reader) ([]Point, error) {
	in := bufio.NewScanner(r)
	var points []Point
	var at map[string]int
	need := []string{"host", "lock", "cs_ns", "ncs_ns", "threads", "ns"}
	for n := 1; in.Scan(); n++ {
		fields := strings.Fields(in.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if at == nil {
			at = map[string]int{}
			for i, f := range fields {
				if f == "ns_per_acquisition_median" {
					f = "ns"
				}
				at[f] = i
			}
			for _, f := range need {
				if _, ok := at[f]; !ok {
					return nil, fmt.Errorf("line %d: the heading has no column %s; it needs %s", n, f, strings.Join(need, " "))
				}
			}
			continue
		}
		var p Point
		var err error
		number := func(name string) float64 {
			if at[name] >= len(fields) {
				err = fmt.Errorf("line %d has no %s", n, name)
				return 0
			}
			x, bad := strconv.ParseFloat(fields[at[name]], 64)
			if bad != nil || math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
				err = fmt.Errorf("line %d: %s is %q, which is no number from 0 up", n, name, fields[at[name]])
			}
			return x
		}
		p.CS, p.NCS, p.NS = number("cs_ns"), number("ncs_ns"), number("ns")
		threads := number("threads")
		p.Threads = int(threads)
		if err == nil && (p.Threads < 1 || float64(p.Threads) != threads || p.NS == 0) {
			err = fmt.Errorf("line %d: there are at least 1 thread and more than 0 ns", n)
		}
		if err != nil {
			return nil, err
		}
		p.Host, p.Lock = fields[at["host"]], fields[at["lock"]]
		points = append(points, p)
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if len(points) == 0 {
		return nil, fmt.Errorf("there are no points in it")
	}
	return points, nil
}

// Hosts returns the hosts of points, in their order.
func Hosts(points []Point) []string {
	var hosts []string
	for _, p := range points {
		if !slices.Contains(hosts, p.Host) {
			hosts = append(hosts, p.Host)
		}
	}
	return hosts
}
