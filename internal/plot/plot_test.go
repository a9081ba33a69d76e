package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shmbench/internal/plot/plottest"
)

func drawn(t *testing.T, f Figure) string {
	var b bytes.Buffer
	require.NoError(t, f.WriteSVG(&b))
	d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
	for {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}
	return b.String()
}

func figure1() Figure {
	series := Series{Name: "a < b & c"}
	for i := range 10 {
		x := math.Pow(10, float64(i)/4)
		series.Points = append(series.Points, Around(x, 3*x, 0.1*x))
	}
	return Figure{Title: "t & u", Panels: []Panel{
		{Title: "log", X: Axis{Label: "x", Log: true}, Y: Axis{Label: "y", Log: true}, Series: []Series{series, {Name: "ref", Reference: true, Points: []Point{Around(1, 1, math.NaN())}}}},
		{Title: "linear", X: Axis{Label: "x"}, Y: Axis{Label: "y"}, Series: []Series{series}},
		{Title: "empty"},
	}}
}

// places are the points of a figure: their series, and where they are on the X axis.
func places(f Figure, format string) (all []plottest.Mark) {
	for _, p := range f.Panels {
		for _, s := range p.Series {
			for _, pt := range s.Points {
				all = append(all, plottest.Mark{Series: s.Name, At: fmt.Sprintf(format, pt.X)})
			}
		}
	}
	return all
}

// placed are the points of a drawing, without their values.
func placed(text string) (all []plottest.Mark) {
	for _, m := range plottest.Marks(text) {
		all = append(all, plottest.Mark{Series: m.Series, At: m.At})
	}
	return all
}

// The file is well-formed, its text escaped, and every dot lies inside.
func TestSVG(t *testing.T) {
	svg := drawn(t, figure1())
	require.Contains(t, svg, "a &lt; b &amp; c")
	f := figure1()
	require.Equal(t, places(f, "%.4g"), placed(svg))
	for _, p := range f.drawing(false).Panels {
		for _, l := range p.Lines {
			require.NotEmpty(t, l.Dots)
			for _, d := range l.Dots {
				require.True(t, d.X >= p.Box.X1 && d.X <= p.Box.X2 && d.Y >= p.Box.Y1 && d.Y <= p.Box.Y2, "%s: %v %v", l.Name, d.X, d.Y)
			}
		}
	}
	require.NotContains(t, svg, "NaN")
	require.NotContains(t, svg, "Inf")
	require.Equal(t, svg, drawn(t, figure1()))
}

func TestNoPlace(t *testing.T) {
	f := Figure{Panels: []Panel{{Title: "p", Y: Axis{Log: true}, Series: []Series{{Name: "s", Points: []Point{{X: 1}}}}}}}
	require.EqualError(t, f.WriteSVG(io.Discard), "p: the point (1, 0) of s has no place on its axes")
	for _, c := range []struct {
		x, y   float64
		logX   bool
		placed bool
	}{
		{0, 0, false, true}, {-1, -1, false, true}, {0, 1, true, false}, {-1, 1, true, false}, {0.5, 0, true, true},
		{math.NaN(), 1, false, false}, {1, math.NaN(), false, false}, {1, math.Inf(1), false, false}, {math.Inf(-1), 1, false, false},
		{math.Inf(1), math.Inf(-1), false, false}, {math.Inf(1), math.Inf(1), false, false},
	} {
		f := Figure{Panels: []Panel{{Title: "p", X: Axis{Log: c.logX}, Series: []Series{{Name: "s", Points: []Point{{X: c.x, Y: c.y}}}}}}}
		require.Equal(t, c.placed, f.check() == nil, "%+v", c)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		most float64
		want []float64
	}{
		{10, []float64{0, 2, 4, 6, 8, 10}},
		{1.7, []float64{0, 0.5, 1, 1.5}},
		{42, []float64{0, 10, 20, 30, 40}},
		{8, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8}},
		{8.1, []float64{0, 2, 4, 6, 8}},
	} {
		s := scale{most: c.most}
		requireTicks(t, c.want, s.ticks())
	}
	s := scale{Axis: Axis{Log: true}, least: math.Log10(0.04), most: math.Log10(11)}
	requireTicks(t, []float64{0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10}, s.ticks())
	s = scale{Axis: Axis{Log: true}, least: 0, most: 2}
	requireTicks(t, []float64{1, 2, 5, 10, 20, 50, 100}, s.ticks())
	s = scale{Axis: Axis{Log: true}, least: 0, most: 3}
	requireTicks(t, []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}, s.ticks())
	s = scale{Axis: Axis{Log: true}, least: -1, most: 2.5}
	requireTicks(t, []float64{0.1, 1, 10, 100}, s.ticks())
}

// requireTicks compares ticks, and how many there are: InDeltaSlice does not notice ticks that are missing at the end.
func requireTicks(t *testing.T, want, ticks []float64) {
	t.Helper()
	require.Len(t, ticks, len(want))
	require.InDeltaSlice(t, want, ticks, 1e-9)
}

// TestScale: an axis begins at 0 or below its values, and ends above them.
func TestScale(t *testing.T) {
	for _, c := range []struct {
		axis        Axis
		values      []float64
		least, most float64
	}{
		{Axis{}, nil, 0, 1},
		{Axis{Log: true}, nil, 0, 1},
		{Axis{}, []float64{2, 4}, 0, 4.2},
		{Axis{}, []float64{-2, 4}, -2, 4.2},
		{Axis{Show: []float64{10}}, []float64{2, 4}, 0, 10.5},
		{Axis{}, []float64{0}, 0, 1e-9},
		{Axis{Log: true}, []float64{10, 1000}, 0.94, 3.06},
		{Axis{Log: true}, []float64{10}, 0.98, 1.02},
	} {
		s := newScale(c.axis, c.values, 100, 200)
		require.InDelta(t, c.least, s.least, 1e-12)
		require.InDelta(t, c.most, s.most, 1e-12)
		require.Equal(t, []float64{100, 200}, []float64{s.from, s.to})
	}
}

// An element of a page has neither colors nor an outer title, names every
// series in text that is escaped, and gives the same looks to the same names.
func TestInline(t *testing.T) {
	f := figure1()
	f.Names = []string{"another", "ref"}
	var b strings.Builder
	require.NoError(t, f.WriteInline(&b))
	require.NotRegexp(t, "#[0-9a-f]{6}", b.String())
	require.NotContains(t, b.String(), "NaN")
	require.Contains(t, b.String(), `<g class="series c1 model" data-series="ref">`)
	require.Contains(t, b.String(), `<g class="series c2" data-series="a &lt; b &amp; c">`)
	require.Equal(t, places(f, "%.6g"), placed(b.String()))
	require.Contains(t, b.String(), `<g class="panel" data-log="`)
	require.Contains(t, b.String(), `<path data-y="0" d="M`)
	require.NoError(t, xml.Unmarshal([]byte(b.String()), new(struct{})))
}

func TestBarsNeedNotBeSymmetrical(t *testing.T) {
	f := Figure{Panels: []Panel{{Series: []Series{{Name: "s", Points: []Point{{X: 1, Y: 2, Low: 1, High: 5}, {X: 2, Y: 2, Low: 0, High: math.Inf(1)}}}}}}}
	svg := drawn(t, f)
	require.Contains(t, svg, "s: 2, from 1 to 5, at 1")
	require.Contains(t, svg, "s: 2 at 2")
}

// Ticks can have names, a series that has its place has one entry in the legend, and
// marked lines have the mark of their own there, too.
func TestMarked(t *testing.T) {
	f := Figure{Names: []string{"b", "s"}, Marked: true, Wide: true, Panels: []Panel{{X: Axis{Ticks: []float64{1, 2000}, TickNames: []string{"one"}}, Series: []Series{{Name: "s", Points: []Point{{X: 1, Y: 2000}}}}}}}
	svg := drawn(t, f)
	require.Contains(t, svg, ">one</text>")
	require.Contains(t, svg, ">2k</text>")
	d := f.drawing(false)
	require.Equal(t, "b", d.Legend[0].Name)
	require.Equal(t, "s", d.Legend[1].Name)
	require.Equal(t, marks[1], d.Legend[1].Mark)
	require.Equal(t, marks[1], d.Panels[0].Lines[0].Dots[0].Mark)
	require.Contains(t, svg, `d="`+marks[1]+`" fill="white"><title>s: 2000 at 1</title>`)
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.5: "0.5", 999: "999", 1000: "1k", 1024: "1024", 1500: "1500", 15e3: "15k", 2e6: "2M", 3e10: "30G", -5e3: "-5k"} {
		require.Equal(t, want, short(v))
	}
}

// Names stand at the ends of their lines, without overlap and inside the picture; quiet
// lines have none.
func TestEnds(t *testing.T) {
	f := Figure{Wide: true, Ends: true, Panels: []Panel{{}}}
	for i := range 8 {
		f.Panels[0].Series = append(f.Panels[0].Series, Series{Name: "s" + strconv.Itoa(i), Points: []Point{{X: 1, Y: 10}, {X: 2, Y: 10 + float64(i)/100}}})
	}
	f.Panels[0].Series = append(f.Panels[0].Series, Series{Name: "thin", Quiet: true, Points: []Point{{X: 1, Y: 3}, {X: 2, Y: 30}}})
	var b strings.Builder
	require.NoError(t, f.WriteInline(&b))
	var names []string
	before := 0.0
	for _, l := range f.drawing(true).Panels[0].Labels {
		require.GreaterOrEqual(t, l.Y-before, 12.9)
		require.Less(t, l.Y, wideHeight-bottom+1)
		require.Contains(t, b.String(), ">"+l.Name+"</text>")
		names, before = append(names, l.Name), l.Y
	}
	require.Equal(t, []string{"s7", "s6", "s5", "s4", "s3", "s2", "s1", "s0"}, names, "from above")
	require.NotContains(t, b.String(), ">thin</text>")
	require.Contains(t, b.String(), `<g class="series quiet" data-series="thin">`)
}

// Bars are in the order that is given, each with its value where the axis has it.
func TestBars(t *testing.T) {
	c := Bars{Title: "cost", X: Axis{Label: "ns", Log: true}, Rows: []Bar{
		{Name: "a<b", Point: Point{Y: 10, Low: 9, High: 12}, Text: "10.0 [9.00, 12.0]"}, {Name: "c", Point: Point{Y: 100}, Text: "100"}}}
	var b strings.Builder
	require.NoError(t, c.WriteInline(&b))
	require.NoError(t, xml.Unmarshal([]byte(b.String()), new(struct{})))
	require.Contains(t, b.String(), "a&lt;b")
	require.Contains(t, b.String(), ">10.0 [9.00, 12.0]</text>")
	marks := plottest.Marks(b.String())
	require.Equal(t, []plottest.Mark{{Series: "a<b", At: "10"}, {Series: "c", At: "100"}}, marks)
	c.Rows[1].Point.Y = 0
	require.Error(t, c.WriteInline(&b), "0 has no place on a logarithmic axis")

	strips := Bars{Strips: true, Rows: []Bar{{Name: "s", Point: Point{Y: 2}, Samples: []float64{1, 2, 9}}}}
	b.Reset()
	require.NoError(t, strips.WriteInline(&b))
	drawn := strips.drawing().Rows[0]
	require.InDelta(t, (9.0-1)/(2-1), (drawn.Samples[2]-drawn.Samples[0])/(drawn.Samples[1]-drawn.Samples[0]), 1e-9)
	require.Equal(t, drawn.X2, drawn.Samples[1], "the line is at the median")
	require.Contains(t, b.String(), `<path class="sample" d="M`)
}
