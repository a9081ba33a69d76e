package plot

import (
	"io"
	"strings"
	"text/template"
)

// Bars is a chart of one value for each name, the names below one another.
type Bars struct {
	Title string
	X     Axis
	Rows  []Bar
	// Strips draws every sample as a dot instead of a bar, with a line at the median.
	Strips bool
}

// Bar is one row. Text stands at its end.
type Bar struct {
	Name    string
	Point   Point     // Y is the value, with its interval
	Samples []float64 // of Strips
	Text    string
}

const (
	barLeft   = 190.0
	barHeight = 20.0
	barTop    = 26.0
	barRight  = 130.0
)

type (
	bars struct {
		Strips        bool
		Title         string
		Width, Height float64
		Box           box
		XLabel, Log   string
		Ticks         []tick
		Rows          []row
	}
	row struct {
		Name, Text                string
		Y                         float64
		X1, X2                    float64 // of the bar
		Value                     Point
		Low, High, TextX          float64
		Interval                  bool
		Samples                   []float64
		Middle, Top, Bottom, Half float64
	}
)

// WriteInline writes the chart for a page that has styles for its classes.
func (c *Bars) WriteInline(w io.Writer) error {
	f := Figure{Panels: []Panel{{Title: c.Title, Y: c.X}}}
	for _, r := range c.Rows {
		f.Panels[0].Series = append(f.Panels[0].Series, Series{Name: r.Name, Points: []Point{r.Point}})
	}
	if err := f.check(); err != nil {
		return err
	}
	return barChart.Execute(w, c.drawing())
}

// drawing lays the chart out.
func (c *Bars) drawing() bars {
	var values []float64
	for _, r := range c.Rows {
		values = append(values, r.Point.Y)
		values = append(values, r.Samples...)
		if lo, hi, ok := bar(r.Point, c.X.Log); ok {
			values = append(values, lo, hi)
		}
	}
	out := bars{Strips: c.Strips, Title: c.Title, Width: wideWidth, XLabel: c.X.Label, Height: barTop + barHeight*float64(len(c.Rows)) + 44}
	if c.X.Log {
		out.Log = "x"
	}
	left, right := c.room()
	out.Box = box{left, barTop, wideWidth - right, barTop + barHeight*float64(len(c.Rows))}
	scale := newScale(c.X, values, out.Box.X1, out.Box.X2)
	for _, v := range scale.ticks() {
		out.Ticks = append(out.Ticks, tick{scale.at(v), out.Box.Y1, scale.at(v), out.Box.Y2, scale.at(v), out.Box.Y2 + 16, "middle", short(v), "x", v})
	}
	for i, r := range c.Rows {
		y := barTop + barHeight*(float64(i)+0.5)
		one := row{Name: r.Name, Text: r.Text, Y: y, X1: out.Box.X1, X2: scale.at(r.Point.Y), Value: r.Point, Middle: y + 4, Top: y - 6, Bottom: y + 6, Half: 12}
		one.TextX = one.X2 + 8
		if lo, hi, ok := bar(r.Point, c.X.Log); ok {
			one.Interval, one.Low, one.High = true, scale.at(lo), scale.at(hi)
			one.TextX = max(one.TextX, one.High+8)
		}
		if c.Strips {
			for _, v := range r.Samples {
				one.Samples = append(one.Samples, scale.at(v))
				one.TextX = max(one.TextX, scale.at(v)+8)
			}
		}
		out.Rows = append(out.Rows, one)
	}
	return out
}

var barChart = template.Must(template.New("bars").Funcs(functions).Parse(strings.ReplaceAll(
	`<svg class="plot rows" viewBox="0 0 {{f .Width}} {{f .Height}}" style="max-width:{{f .Width}}px" role="img" aria-label="{{t .Title}}" tabindex="0">
<g class="panel" data-log="{{.Log}}"><g class="grid">
{{range .Ticks}}<path data-x="{{.Value}}" d="M{{f .X1}} {{f .Y1}}V{{f .Y2}}"/>
{{end}}</g><g class="text">
{{range .Ticks}}<text x="{{f .TextX}}" y="{{f .TextY}}">{{.Text}}</text>
{{end}}<text x="{{f .Box.MidX}}" y="{{f .Box.LabelY}}">{{t .XLabel}}</text></g>
{{range .Rows}}<g class="series row" data-series="{{t .Name}}"><text x="{{f $.LabelX}}" y="{{f .Middle}}" text-anchor="end">{{t .Name}}</text>
~{{if $.Strips}}{{$y := .Y}}<path class="sample" d="{{range .Samples}}M{{f .}} {{f $y}}h0{{end}}"/><path class="median" d="M{{f .X2}} {{f .Top}}V{{f .Bottom}}"/>
~{{else}}<path class="bar" d="M{{f .X1}} {{f .Top}}H{{f .X2}}V{{f .Bottom}}H{{f .X1}}z"/>{{if .Interval}}<path class="bars" d="M{{f .Low}} {{f .Y}}H{{f .High}}"/>{{end}}{{end}}
~<use data-x="{{v .Value.Y}}"{{if .Interval}} data-l="{{v .Value.Low}}" data-h="{{v .Value.High}}"{{end}} x="{{f .X2}}" y="{{f .Y}}"/>
~<text x="{{f .TextX}}" y="{{f .Middle}}">{{t .Text}}</text></g>
{{end}}</g></svg>
`, "\n~", "")))

// room is what the names to the left and the texts to the right of the bars take.
func (c *Bars) room() (left, right float64) {
	left, right = barLeft, barRight
	for _, r := range c.Rows {
		left = max(left, 10+charWidth*float64(len([]rune(r.Name))))
		right = max(right, 10+charWidth*float64(len([]rune(r.Text))))
	}
	return left, right
}

// LabelX is where the names end.
func (b bars) LabelX() float64 { return b.Box.X1 - 8 }
