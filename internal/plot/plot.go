// Package plot draws line charts with error bars as SVG, from a template: no
// script, no dependency. A chart is a file of its own, or a part of a page whose
// style sheet gives the colours.
package plot

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// A Figure is panels side by side under one title, with one legend.
type Figure struct {
	Title  string
	Panels []Panel
	// Names is the order of series that gives them their looks, so that charts on one
	// page agree; those that are not in it follow in the order in which they appear.
	Names []string
	// Wide panels are for a whole page's width, and Marked ones have a mark of its own for
	// each line, as those in a page have; what is short of room has neither.
	Wide, Marked bool
}

// A Panel is one pair of axes. All series of a figure's panels that have one
// name have one colour.
type Panel struct {
	Title  string
	X, Y   Axis
	Series []Series
}

// An Axis has a label and is logarithmic or starts at 0.
type Axis struct {
	Label string
	Log   bool
	// Ticks are where the lines go, if they are not to be round values.
	Ticks []float64
	// TickNames are what stands at Ticks, if that is not their values.
	TickNames []string
	// Show are values that have a place on the axis besides those of the points, so
	// that panels have the same scale.
	Show []float64
}

// A Series is one line. Reference lines are dashed.
type Series struct {
	Name      string
	Reference bool
	Points    []Point
}

// A Point is drawn with a bar from Low to High.
type Point struct {
	X, Y, Low, High float64
}

// Around is the point (x, y) with a bar from y-half to y+half.
func Around(x, y, half float64) Point { return Point{x, y, y - half, y + half} }

const (
	panelWidth  = 440.0
	panelHeight = 320.0
	wideWidth   = 760.0
	wideHeight  = 440.0
	left        = 62.0
	right       = 14.0
	top         = 34.0
	bottom      = 46.0
	titleHeight = 30.0
	legendLine  = 20.0
	perLine     = 4 // legend entries
)

// Okabe and Ito's colours, told apart by colour-blind readers as well.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#777777"}

var dashes = []string{"", "5 3", "1 3"}

// marks are drawn around the origin. They are as many as have no factor in common
// with the colours, so that no two of 35 series share both.
var marks = []string{"M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z", "M-3-3h6v6h-6z", "M0-4L4 3H-4z", "M0-4L4 0L0 4L-4 0z", "M-3-3L3 3M3-3L-3 3"}

// Check reports a figure that cannot be drawn.
func (f *Figure) check() error {
	for _, p := range f.Panels {
		for _, s := range p.Series {
			for _, pt := range s.Points {
				if p.X.Log && pt.X <= 0 || p.Y.Log && pt.Y <= 0 || math.IsNaN(pt.X+pt.Y) || math.IsInf(pt.X+pt.Y, 0) {
					return fmt.Errorf("%s: the point (%v, %v) of %s has no place on its axes", p.Title, pt.X, pt.Y, s.Name)
				}
			}
		}
	}
	return nil
}

// WriteSVG writes f as a file of its own. Points without a finite value are an
// error, leave them out; intervals that are not finite are not drawn.
func (f *Figure) WriteSVG(w io.Writer) error { return f.write(w, false) }

// WriteInline writes f as an element of an HTML page, without title and legend,
// which the page has, and without colours: a series is of the class "series" and
// that of its colour, "c0" to "c6", and has its name in data-series. Lines of the grid
// and marks have their values in data-x and data-y, so that what is drawn can be held
// against what it is drawn from.
func (f *Figure) WriteInline(w io.Writer) error { return f.write(w, true) }

func (f *Figure) write(w io.Writer, inline bool) error {
	if err := f.check(); err != nil {
		return err
	}
	names := slices.Clone(f.Names)
	references := map[string]bool{}
	for _, p := range f.Panels {
		for _, s := range p.Series {
			if _, known := references[s.Name]; !known {
				if !slices.Contains(names, s.Name) {
					names = append(names, s.Name)
				}
				references[s.Name] = s.Reference
			}
		}
	}
	width, height, text := panelWidth, panelHeight, number
	if f.Wide {
		width, height = wideWidth, wideHeight
	}
	if inline || f.Marked {
		text = short
	}
	d := drawing{Title: f.Title, Width: width * float64(len(f.Panels)), Inline: inline, Marked: f.Marked}
	above := titleHeight
	if inline {
		above = 0
	}
	for i, name := range names {
		d.Legend = append(d.Legend, legend{
			style: styleOf(i, references[name]), Name: name,
			X: left + float64(float64(i%perLine)*(d.Width-left)/perLine),
			Y: titleHeight + height + float64(legendLine*float64(i/perLine)) + 12,
		})
	}
	d.Height = titleHeight + height + float64(legendLine*float64((len(names)+perLine-1)/perLine)) + 10
	if inline {
		d.Height, d.Legend = height, nil
	}
	for i, p := range f.Panels {
		d.Panels = append(d.Panels, p.draw(width*float64(i), above, width, height, names, text))
	}
	return figure.Execute(w, d)
}

// styleOf gives the colours in turn, and when all are used the next dash.
func styleOf(i int, reference bool) style {
	dash := dashes[i/len(colours)%len(dashes)]
	if reference {
		dash = dashes[1]
	}
	return style{
		Colour: colours[i%len(colours)], Dash: dash, Mark: marks[i%len(marks)],
		Class: "c" + strconv.Itoa(i%len(colours)), Reference: reference,
	}
}

// WriteSwatch writes what stands before the name of the series at i in the legend
// of a page.
func WriteSwatch(w io.Writer, i int, reference bool) error {
	return swatch.Execute(w, styleOf(i, reference))
}

var swatch = template.Must(template.New("swatch").Parse(
	`<svg class="swatch" width="34" height="12" viewBox="-17 -6 34 12" aria-hidden="true"><g class="series {{.Class}}{{if .Reference}} model{{end}}"><path class="line" d="M-16 0H16"{{if .Dash}} stroke-dasharray="{{.Dash}}"{{end}}/><path class="mark" d="{{.Mark}}"/></g></svg>`))

var figure = template.Must(template.New("figure").Funcs(template.FuncMap{
	"f": func(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") },
	"t": template.HTMLEscapeString,
}).Parse(`{{if .Inline}}{{template "inline" .}}{{else}}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{f .Width}} {{f .Height}}" width="{{f .Width}}" height="{{f .Height}}" font-family="sans-serif" font-size="12" role="img">
<title>{{t .Title}}</title>
<rect width="100%" height="100%" fill="white"/>
<text x="{{f .Half}}" y="20" text-anchor="middle" font-size="15">{{t .Title}}</text>
{{range .Panels}}<g fill="none" stroke="#ddd">
{{range .Ticks}}<path d="M{{f .X1}} {{f .Y1}}L{{f .X2}} {{f .Y2}}"/>
{{end}}<rect x="{{f .Box.X1}}" y="{{f .Box.Y1}}" width="{{f .Box.Width}}" height="{{f .Box.Height}}" stroke="#333"/>
</g>
<g fill="#333">
{{range .Ticks}}<text x="{{f .TextX}}" y="{{f .TextY}}" text-anchor="{{.Anchor}}">{{.Text}}</text>
{{end}}<text x="{{f .Box.MidX}}" y="{{f .Box.LabelY}}" text-anchor="middle">{{t .XLabel}}</text>
<text x="{{f .Box.MidX}}" y="{{f .Box.TitleY}}" text-anchor="middle">{{t .Title}}</text>
</g>
{{range .Lines}}<g fill="none" stroke="{{.Colour}}" stroke-width="1.5">
<path d="{{.Path}}"{{if .Dash}} stroke-dasharray="{{.Dash}}"{{end}}/>
{{if .Bars}}<path d="{{.Bars}}" stroke-width="1"/>
{{end}}{{range .Dots}}{{if $.Marked}}<path transform="translate({{f .X}} {{f .Y}})" d="{{.Mark}}" fill="white"><title>{{t .Text}}</title></path>{{else}}<circle cx="{{f .X}}" cy="{{f .Y}}" r="2" fill="{{.Colour}}" stroke="none"><title>{{t .Text}}</title></circle>{{end}}
{{end}}</g>
{{end}}{{end}}<g>
{{range .Legend}}<path d="M{{f .X}} {{f .Y}}h24" stroke="{{.Colour}}" stroke-width="2"{{if .Dash}} stroke-dasharray="{{.Dash}}"{{end}}/>{{if $.Marked}}<path transform="translate({{f .MarkX}} {{f .Y}})" d="{{.Mark}}" fill="white" stroke="{{.Colour}}"/>{{end}}<text x="{{f .TextX}}" y="{{f .TextY}}">{{t .Name}}</text>
{{end}}</g>
</svg>
{{end}}{{define "inline"}}<svg class="plot" viewBox="0 0 {{f .Width}} {{f .Height}}" style="max-width:{{f .Width}}px" role="img" aria-label="{{t .Title}}">
{{range .Panels}}<g class="panel" data-log="{{if .LogX}}x{{end}}{{if .LogY}}y{{end}}"><g class="grid">
{{range .Ticks}}<path data-{{.Axis}}="{{.Value}}" d="M{{f .X1}} {{f .Y1}}L{{f .X2}} {{f .Y2}}"/>
{{end}}<rect x="{{f .Box.X1}}" y="{{f .Box.Y1}}" width="{{f .Box.Width}}" height="{{f .Box.Height}}"/>
</g>
<g class="text">
{{range .Ticks}}<text x="{{f .TextX}}" y="{{f .TextY}}" text-anchor="{{.Anchor}}">{{.Text}}</text>
{{end}}<text x="{{f .Box.MidX}}" y="{{f .Box.LabelY}}" text-anchor="middle">{{t .XLabel}}</text>
<text x="{{f .Box.MidX}}" y="{{f .Box.TitleY}}" text-anchor="middle">{{t .Title}}</text>
</g>
{{range .Lines}}<g class="series {{.Class}}{{if .Reference}} model{{end}}" data-series="{{t .Name}}">
<path class="line" d="{{.Path}}"{{if .Dash}} stroke-dasharray="{{.Dash}}"{{end}}/>
{{if .Bars}}<path class="bars" d="{{.Bars}}"/>
{{end}}{{$mark := .Mark}}{{range .Dots}}<path class="mark" data-x="{{.Value.X}}" data-y="{{.Value.Y}}" transform="translate({{f .X}} {{f .Y}})" d="{{$mark}}"><title>{{t .Text}}</title></path>
{{end}}</g>
{{end}}</g>{{end}}</svg>
{{end}}`))
