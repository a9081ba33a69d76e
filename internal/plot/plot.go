// Package plot draws line charts with error bars as SVG, from a template: no
// script, no dependency. A chart is a file of its own, or a part of a page whose
// style sheet gives the colors.
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
	// Wide panels are for a whole page's width. Marked panels have a mark of its own for each
	// line, as those in a page have. A figure that is short of room has neither.
	Wide, Marked bool
	// Ends puts the name of each line that is not quiet at its end, instead of a legend.
	Ends bool
}

// A Panel is one pair of axes. All series of a figure's panels that have one
// name have one color.
type Panel struct {
	Title  string
	X, Y   Axis
	Series []Series
	// Scatter draws no lines, and names stand beside the points.
	Scatter bool
	// Front are points that a thin line joins.
	Front []Point
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
	// Quiet series are thin and grey, without a name.
	Quiet  bool
	Points []Point
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
	marginRight = 14.0
	rightSmall  = 96.0
	rightNames  = 168.0 // with names at the ends of the lines
	top         = 34.0
	bottom      = 46.0
	titleHeight = 30.0
	legendLine  = 20.0
	perLine     = 4 // legend entries
)

// colors, dashes and marks are the looks of eight series. Any two colors differ clearly in
// normal vision; where a color-blind reader or a print cannot tell them apart, mark and
// dash differ. Marks are drawn around the origin.
var (
	colors = []string{"#0c5fad", "#aa3610", "#00805d", "#b0558a", "#9a6a00", "#1f95cd", "#6a6a6a", "#5a2ca0"}
	dashes = []string{"", "8 3", "2 3", "9 3 2 3", "14 4", "6 2 1 2 1 2", "4 4", "1 4"}
	marks  = []string{"M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z", "M-3-3h6v6h-6z", "M0-4L4 3H-4z", "M0-4L4 0L0 4L-4 0z",
		"M-3-3L3 3M3-3L-3 3", "M0 4L4-3H-4z", "M-4 0H4M0-4V4", "M-3-4L3-4L0 0L3 4L-3 4L0 0z"}
)

// Looks is how many looks there are. A chart has at most as many lines that are not
// quiet.
const Looks = 8

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

// WriteMarks writes the shapes of the marks, which a page with inline figures has once: "c0"
// to "c7", each with the dashes of its line, and "quiet" for the points of a scatter.
func WriteMarks(w io.Writer) error {
	fmt.Fprint(w, `<svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs>`)
	for i, m := range marks {
		fmt.Fprintf(w, `<path id="c%d" d="%s" data-dash="%s"/>`, i, m, dashes[i])
	}
	_, err := fmt.Fprint(w, `<circle id="quiet" r="2.5"/></defs></svg>`)
	return err
}

// WriteInline writes f as an element of an HTML page. It leaves out title and legend, which
// the page has, and colors. A series has the class "series" and the class of its color, "c0"
// to "c7" or "quiet", and has its name in data-series. Lines of the grid and marks have their
// values in data-x and data-y, so that a test can compare the drawing with its data.
func (f *Figure) WriteInline(w io.Writer) error { return f.write(w, true) }

func (f *Figure) write(w io.Writer, inline bool) error {
	if err := f.check(); err != nil {
		return err
	}
	return figure.Execute(w, f.drawing(inline))
}

// drawing lays the figure out.
func (f *Figure) drawing(inline bool) drawing {
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
		if f.Ends {
			break
		}
		d.Legend = append(d.Legend, legend{
			style: styleOf(i, Series{Reference: references[name]}), Name: name,
			X: left + float64(float64(i%perLine)*(d.Width-left)/perLine),
			Y: titleHeight + height + float64(legendLine*float64(i/perLine)) + 12,
		})
	}
	d.Height = titleHeight + height + float64(legendLine*float64((len(d.Legend)+perLine-1)/perLine)) + 10
	if inline {
		d.Height, d.Legend = height, nil
	}
	for i, p := range f.Panels {
		d.Panels = append(d.Panels, p.draw(width*float64(i), above, width, height, names, text, f.ends(), !inline))
	}
	return d
}

// ends is the room to the right of a panel for names.
func (f *Figure) ends() float64 {
	switch {
	case !f.Ends:
		return marginRight
	case f.Wide:
		return rightNames
	}
	return rightSmall
}

// styleOf gives the looks in turn. Where there are more series than looks, the colors begin
// again with other dashes and marks.
func styleOf(i int, s Series) style {
	i = max(i, 0)
	other := (i + i/Looks) % Looks
	st := style{Color: colors[i%Looks], Dash: dashes[other], Mark: marks[other], Class: "c" + strconv.Itoa(i%Looks), Reference: s.Reference, Quiet: s.Quiet}
	if s.Quiet {
		st.Color, st.Dash, st.Mark, st.Class = "#bbbbbb", "", "M0 0", "quiet"
	}
	return st
}

// functions are those of the templates: a length, and a text.
var functions = template.FuncMap{
	"f": func(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") },
	"t": template.HTMLEscapeString,
	"v": func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }, // a value, for scripts
}

var figure = template.Must(template.New("figure").Funcs(functions).Parse(`{{if .Inline}}{{template "inline" .}}{{else}}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{f .Width}} {{f .Height}}" width="{{f .Width}}" height="{{f .Height}}" font-family="sans-serif" font-size="12" role="img">
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
{{range .Lines}}<g fill="none" stroke="{{.Color}}" stroke-width="1.5">
<path d="{{.Path}}"{{if .Dash}} stroke-dasharray="{{.Dash}}"{{end}}/>
{{if .Bars}}<path d="{{.Bars}}" stroke-width="1"/>
{{end}}{{range .Dots}}{{if $.Marked}}<path transform="translate({{f .X}} {{f .Y}})" d="{{.Mark}}" fill="white"><title>{{t .Text}}</title></path>{{else}}<circle cx="{{f .X}}" cy="{{f .Y}}" r="2" fill="{{.Color}}" stroke="none"><title>{{t .Text}}</title></circle>{{end}}
{{end}}</g>
{{end}}{{if .Front}}<path d="{{.Front}}" fill="none" stroke="#333"/>
{{end}}{{range .Labels}}<path d="M{{f .FromX}} {{f .FromY}}L{{f .X}} {{f .Y}}" stroke="#bbb" fill="none"/><path transform="translate({{f .MarkX}} {{f .Y}})" d="{{.Mark}}" fill="white" stroke="{{.Color}}"/><text x="{{f .TextX}}" y="{{f .TextY}}" fill="#333">{{t .Name}}</text>
{{end}}{{end}}<g>
{{range .Legend}}<path d="M{{f .X}} {{f .Y}}h24" stroke="{{.Color}}" stroke-width="2"{{if .Dash}} stroke-dasharray="{{.Dash}}"{{end}}/>{{if $.Marked}}<path transform="translate({{f .MarkX}} {{f .Y}})" d="{{.Mark}}" fill="white" stroke="{{.Color}}"/>{{end}}<text x="{{f .TextX}}" y="{{f .TextY}}">{{t .Name}}</text>
{{end}}</g>
</svg>
{{end}}{{define "inline"}}<svg class="plot" viewBox="0 0 {{f .Width}} {{f .Height}}" style="max-width:{{f .Width}}px" role="img" aria-label="{{t .Title}}" tabindex="0">
{{range .Panels}}<g class="panel" data-log="{{if .LogX}}x{{end}}{{if .LogY}}y{{end}}"><g class="grid">
{{range .Ticks}}<path data-{{.Axis}}="{{.Value}}" d="M{{f .X1}} {{f .Y1}}L{{f .X2}} {{f .Y2}}"/>
{{end}}<rect x="{{f .Box.X1}}" y="{{f .Box.Y1}}" width="{{f .Box.Width}}" height="{{f .Box.Height}}"/>
</g>
<g class="text">
{{range .Ticks}}<text x="{{f .TextX}}" y="{{f .TextY}}"{{if eq .Anchor "end"}} text-anchor="end"{{end}}>{{.Text}}</text>
{{end}}<text x="{{f .Box.MidX}}" y="{{f .Box.LabelY}}">{{t .XLabel}}</text>
<text x="{{f .Box.MidX}}" y="{{f .Box.TitleY}}">{{t .Title}}</text>
</g>
{{if .Front}}<path class="front" d="{{.Front}}"/>
{{end}}{{range .Lines}}<g class="series {{.Class}}{{if .Reference}} model{{end}}" data-series="{{t .Name}}">
{{if .Path}}<path class="line" d="{{.Path}}"{{if .Dash}} stroke-dasharray="{{.Dash}}"{{end}}/>
{{end}}{{if .Bars}}<path class="bars" d="{{.Bars}}"/>
{{end}}{{range .Dots}}<use{{if not .Quiet}} href="#{{.Class}}"{{end}} data-x="{{v .Value.X}}" data-y="{{v .Value.Y}}"{{if and .Interval (not .Quiet)}} data-l="{{v .Value.Low}}" data-h="{{v .Value.High}}"{{end}} x="{{f .X}}" y="{{f .Y}}"/>
{{end}}</g>
{{end}}{{range .Labels}}<g class="end series {{.Class}}" data-series="{{t .Name}}"><path class="lead" d="M{{f .FromX}} {{f .FromY}}L{{f .X}} {{f .Y}}"/><use class="key" href="#{{.Class}}" x="{{f .MarkX}}" y="{{f .Y}}"/><text x="{{f .TextX}}" y="{{f .TextY}}">{{t .Name}}</text></g>
{{end}}</g>{{end}}</svg>
{{end}}`))
