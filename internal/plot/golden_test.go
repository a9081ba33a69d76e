package plot

import (
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the drawings in testdata")

// line4 is a series of four points, which begins at a height and rises by a step.
func line4(name string, from, step float64) Series {
	s := Series{Name: name}
	for i := range 4 {
		s.Points = append(s.Points, Around(math.Pow(2, float64(i)), from+step*float64(i), step/4))
	}
	return s
}

// TestDrawings: small charts of all kinds are drawn as the files in testdata. To change the files on purpose,
// run "go test ./internal/plot -run TestDrawings -update" and look at them in a browser.
func TestDrawings(t *testing.T) {
	quiet := line4("quiet", 7, 3)
	quiet.Quiet = true
	reference := line4("model", 2, 1)
	reference.Reference = true
	uneven := Series{Name: "uneven", Points: []Point{{1, 4, 3, 9}, {8, 6, math.Inf(-1), 7}}}
	five := []Series{line4("one", 10, 2), line4("two", 11, 2), quiet, reference, uneven, line4("six", 30, -2)}
	cloud := []Series{{Name: "left", Points: []Point{{X: 1, Y: 10}}}, {Name: "right of all", Points: []Point{{X: 90, Y: 11}}}, {Name: "near", Points: []Point{{X: 2, Y: 10}}}, {Name: "pale", Quiet: true, Points: []Point{{X: 8, Y: 300}}}}
	figures := map[string]Figure{
		"lines": {Title: "two panels", Names: []string{"none", "one"}, Panels: []Panel{
			{Title: "linear", X: Axis{Label: "processes", Ticks: []float64{1, 100, 4, 8}, TickNames: []string{"one"}}, Y: Axis{Label: "ns"}, Series: five},
			{Title: "logarithmic", X: Axis{Log: true, Label: "processes"}, Y: Axis{Log: true, Show: []float64{1000}}, Series: five[:2]},
		}},
		"marked": {Title: "wide", Wide: true, Marked: true, Panels: []Panel{{Title: "p", Y: Axis{Label: "ns", Show: []float64{2000}}, Series: five}}},
		"ends":   {Title: "names", Ends: true, Panels: []Panel{{Title: "p", Series: five}}},
		"scatter": {Title: "points", Wide: true, Ends: true, Panels: []Panel{
			{Title: "p", Scatter: true, X: Axis{Log: true}, Y: Axis{Log: true}, Series: cloud, Front: []Point{{X: 1, Y: 10}, {X: 2, Y: 10}, {X: 90, Y: 11}}},
		}},
	}
	rows := []Bar{
		{Name: "a", Point: Point{Y: 10, Low: 9, High: 30}, Text: "10", Samples: []float64{9, 10, 30}},
		{Name: "a name that needs more room than the chart has", Point: Point{Y: 20}, Text: "20, with a text that is longer", Samples: []float64{20}},
	}
	drawings := map[string]func(io.Writer) error{"marks": WriteMarks}
	for name, f := range figures {
		drawings[name], drawings[name+"-inline"] = f.WriteSVG, f.WriteInline
	}
	for name, b := range map[string]Bars{
		"bars": {Title: "t", X: Axis{Label: "ns"}, Rows: rows}, "bars-log": {Title: "t", X: Axis{Log: true}, Rows: rows[:1]}, "strips": {Title: "t", Strips: true, Rows: rows},
	} {
		drawings[name] = b.WriteInline
	}
	for name, write := range drawings {
		var b strings.Builder
		require.NoError(t, write(&b), name)
		file := filepath.Join("testdata", name+".svg")
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o666))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), b.String(), name)
	}
}

// TestEndsOfScatter: a name stands to the left of a point if it has no room to the right, and below points in its way.
func TestEndsOfScatter(t *testing.T) {
	at := func(name string, x, y float64) line { return line{Name: name, Dots: []dot{{X: x, Y: y}}} }
	b := box{X1: 0, Y1: 0, X2: 200, Y2: 100}
	wide := 14 + 3*charWidth
	for _, c := range []struct {
		lines []line
		want  []label
	}{
		{[]line{at("abc", 50, 20)}, []label{{Name: "abc", FromX: 50, FromY: 20, X: 56, Y: 20}}},
		{[]line{at("abc", 200-6-wide, 20)}, []label{{Name: "abc", FromX: 194 - wide, FromY: 20, X: 200 - wide, Y: 20}}},
		{[]line{at("abc", 195-wide, 20)}, []label{{Name: "abc", FromX: 195 - wide, FromY: 20, X: 195 - wide - 6 - wide, Y: 20}}},
	} {
		require.Equal(t, c.want, ends(c.lines, b, 200, true, true))
	}
	labels := ends([]line{at("abc", 50, 20), at("d", 60, 20)}, b, 200, true, true)
	require.Equal(t, []string{"d", "abc"}, []string{labels[0].Name, labels[1].Name})
	require.Equal(t, []float64{20, 33}, []float64{labels[0].Y, labels[1].Y}, "moved below the point, and below the other name")
	require.True(t, covers([]line{at("", 60, 20)}, dot{X: 50, Y: 20}, 56, 90, 26))
	require.False(t, covers([]line{at("", 60, 20)}, dot{X: 50, Y: 20}, 56, 90, 26.5), "half a line away")
	require.False(t, covers([]line{at("", 60, 20)}, dot{X: 50, Y: 20}, 60, 90, 20), "at the edge of the name")
	require.False(t, covers([]line{at("", 60, 20)}, dot{X: 50, Y: 20}, 20, 60, 20), "at the edge of the name")
	require.False(t, covers([]line{at("", 60, 20)}, dot{X: 60, Y: 20}, 56, 90, 20), "its own point")
}
