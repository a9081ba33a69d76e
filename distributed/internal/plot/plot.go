// Package plot draws line charts with error bars as SVG, from a template: no
// script, no dependency, readable in both light and dark surroundings.
package plot

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/template"
)

// A Figure is panels side by side under one title, with one legend.
type Figure struct {
	Title  string
	Panels []Panel
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
}

// A Series is one line. Reference lines are dashed.
type Series struct {
	Name      string
	Reference bool
	Points    []Point
}

// A Point is drawn with a bar from Y-Half to Y+Half.
type Point struct {
	X, Y, Half float64
}

const (
	panelWidth  = 440.0
	panelHeight = 320.0
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
func (f *Figure) WriteSVG(w io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	var names []string
	references := map[string]bool{}
	for _, p := range f.Panels {
		for _, s := range p.Series {
			if _, known := references[s.Name]; !known {
				names = append(names, s.Name)
				references[s.Name] = s.Reference
			}
		}
	}
	d := drawing{Title: f.Title, Width: panelWidth * float64(len(f.Panels))}
	for i, name := range names {
		d.Legend = append(d.Legend, legend{
			style: styleOf(i, references[name]), Name: name,
			X: left + float64(float64(i%perLine)*(d.Width-left)/perLine),
			Y: titleHeight + panelHeight + float64(legendLine*float64(i/perLine)) + 12,
		})
	}
	d.Height = titleHeight + panelHeight + float64(legendLine*float64((len(names)+perLine-1)/perLine)) + 10
	for i, p := range f.Panels {
		d.Panels = append(d.Panels, p.draw(panelWidth*float64(i), titleHeight, names))
	}
	return figure.Execute(w, d)
}

// styleOf gives the colours in turn, and when all are used the next dash.
func styleOf(i int, reference bool) style {
	dash := dashes[i/len(colours)%len(dashes)]
	if reference {
		dash = dashes[1]
	}
	return style{Colour: colours[i%len(colours)], Dash: dash}
}

var figure = template.Must(template.New("figure").Funcs(template.FuncMap{
	"f": func(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") },
	"t": template.HTMLEscapeString,
}).Parse(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{f .Width}} {{f .Height}}" width="{{f .Width}}" height="{{f .Height}}" font-family="sans-serif" font-size="12" role="img">
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
{{end}}{{range .Dots}}<circle cx="{{f .X}}" cy="{{f .Y}}" r="2" fill="{{.Colour}}" stroke="none"><title>{{t .Text}}</title></circle>
{{end}}</g>
{{end}}{{end}}<g>
{{range .Legend}}<path d="M{{f .X}} {{f .Y}}h24" stroke="{{.Colour}}" stroke-width="2"{{if .Dash}} stroke-dasharray="{{.Dash}}"{{end}}/><text x="{{f .TextX}}" y="{{f .TextY}}">{{t .Name}}</text>
{{end}}</g>
</svg>
`))
