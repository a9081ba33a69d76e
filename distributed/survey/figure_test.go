package survey

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/distributed"
	"shmbench/distributed/sim"
)

var update = flag.Bool("update", false, "draw the committed figure of cost against nodes again, from the values in it")

const scaleFigure = "../docs/messages/scale.svg"

var pointOrPanel = regexp.MustCompile(`>(no load|full load)\b|<title>([a-z0-9-]+): ([0-9.e+]+)(?: ±([0-9.e+-]+))? at ([0-9.e+]+)</title>`)

// drawnPoints are the points of a figure, from their titles.
func drawnPoints(t *testing.T, svg string) (points []ScalePoint) {
	value := func(s string) float64 {
		if s == "" {
			return 0
		}
		v, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err)
		return v
	}
	full := false
	for _, m := range pointOrPanel.FindAllStringSubmatch(svg, -1) {
		if m[1] != "" {
			full = m[1] == "full load"
			continue
		}
		p := ScalePoint{Algorithm: m[2], Nodes: int(value(m[5]))}
		if mean, half := sim.Number(value(m[3])), sim.Number(value(m[4])); full {
			p.Busy, p.BusyHalf = mean, half
		} else {
			p.Idle, p.IdleHalf = mean, half
		}
		points = append(points, p)
	}
	return points
}

// The committed figure is drawn as WriteScaleFigure draws now, in its colors and sizes. Its
// values took half an hour of simulation, and stand in the titles of its points, so that
// -update needs no simulation.
func TestScaleFigureIsDrawnAsNow(t *testing.T) {
	committed, err := os.ReadFile(scaleFigure)
	require.NoError(t, err)
	points := drawnPoints(t, string(committed))
	require.Equal(t, strings.Count(string(committed), " at "), len(points), "every point is read")
	require.Greater(t, len(points), 200)
	var now bytes.Buffer
	require.NoError(t, WriteScaleFigure(&now, points))
	if *update {
		require.NoError(t, os.WriteFile(scaleFigure, now.Bytes(), 0o666))
		return
	}
	require.Equal(t, string(committed), now.String(), "draw it again: go -C distributed test ./survey -run TestScaleFigure -update")
}

// Its values are those of the simulation, as far as a test can go.
func TestScaleFigureHasTheValuesOfTheSimulation(t *testing.T) {
	committed, err := os.ReadFile(scaleFigure)
	require.NoError(t, err)
	compared := 0
	for _, name := range []string{"raymond", "naimi-trehel"} {
		points, err := Scale(t.Context(), []*distributed.Algorithm{find(t, name)}, []int{4, 10}, 1, nil)
		require.NoError(t, err)
		var now bytes.Buffer
		require.NoError(t, WriteScaleFigure(&now, points))
		for _, p := range drawnPoints(t, now.String()) {
			require.Contains(t, drawnPoints(t, string(committed)), p)
			compared++
		}
	}
	require.Equal(t, 8, compared)
}
