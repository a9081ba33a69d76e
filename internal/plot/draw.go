package plot

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// What the template reads.
type (
	drawing struct {
		Title         string
		Width, Height float64
		Panels        []panel
		Legend        []legend
		Inline        bool
		Marked        bool
	}
	style struct {
		Color, Dash, Mark, Class string
		Reference, Quiet         bool
	}
	legend struct {
		style
		Name string
		X, Y float64
	}
	panel struct {
		Title, XLabel string
		LogX, LogY    bool
		Box           box
		Ticks         []tick
		Lines         []line
		Labels        []label
		Front         string
	}
	box  struct{ X1, Y1, X2, Y2 float64 }
	tick struct {
		X1, Y1, X2, Y2, TextX, TextY float64
		Anchor, Text                 string
		Axis                         string // "x" or "y"
		Value                        float64
	}
	line struct {
		style
		Name       string
		Path, Bars string
		Dots       []dot
	}
	dot struct {
		style
		X, Y  float64
		Text  string
		Value Point
		// Interval is true if the point has one that is drawn.
		Interval bool
	}
)

func (d drawing) Half() float64 { return d.Width / 2 }
func (l legend) MarkX() float64 { return l.X + 12 }
func (l legend) TextX() float64 { return l.X + 30 }
func (l legend) TextY() float64 { return l.Y + 4 }
func (b box) Width() float64    { return b.X2 - b.X1 }
func (b box) Height() float64   { return b.Y2 - b.Y1 }
func (b box) MidX() float64     { return (b.X1 + b.X2) / 2 }
func (b box) LabelY() float64   { return b.Y2 + 34 }
func (b box) TitleY() float64   { return b.Y1 - 10 }

// scale maps values to coordinates.
type scale struct {
	Axis
	least, most float64 // of the values, as drawn: logarithms where Log
	from, to    float64
}

func (s *scale) at(v float64) float64 {
	if s.Log {
		v = math.Log10(v)
	}
	return s.from + float64((v-s.least)/(s.most-s.least)*(s.to-s.from))
}

func newScale(a Axis, values []float64, from, to float64) *scale {
	values = append(values, a.Show...)
	s := &scale{Axis: a, from: from, to: to, least: 0, most: 1}
	if len(values) == 0 {
		return s
	}
	least, most := slices.Min(values), slices.Max(values)
	if a.Log {
		s.least, s.most = math.Log10(least), math.Log10(most)
		margin := max(float64(0.03*(s.most-s.least)), 0.02)
		s.least -= margin
		s.most += margin
		return s
	}
	s.least, s.most = min(0, least), max(1.05*most, 1e-9)
	return s
}

// ticks returns round values within s.
func (s *scale) ticks() []float64 {
	if s.Ticks != nil {
		return s.Ticks
	}
	var ts []float64
	if !s.Log {
		span := s.most - s.least
		step := math.Pow(10, math.Floor(math.Log10(span))-1) // span is 10 to 100 of them
		for _, times := range []float64{2, 5, 10, 20} {
			if span/(step*times) <= 8 {
				step *= times
				break
			}
		}
		for i := 0; float64(i)*step <= s.most; i++ {
			ts = append(ts, float64(i)*step)
		}
		return ts
	}
	parts := []float64{1, 2, 5}
	if s.most-s.least > 3 {
		parts = parts[:1]
	}
	for e := math.Floor(s.least); e <= s.most; e++ {
		for _, p := range parts {
			if v := p * math.Pow(10, e); math.Log10(v) >= s.least && math.Log10(v) <= s.most {
				ts = append(ts, v)
			}
		}
	}
	return ts
}

// draw lays p out with its upper left corner at (x, y), width wide and height high.
func (p *Panel) draw(x, y, width, height float64, names []string, number func(float64) string, right float64, named bool) panel {
	labeled := right > marginRight
	if labeled && !p.Scatter {
		right = max(right, p.room(named))
	}
	b := box{x + left, y + top, x + width - right, y + height - bottom}
	var xs, ys []float64
	for _, s := range p.Series {
		for _, pt := range s.Points {
			xs, ys = append(xs, pt.X), append(ys, pt.Y)
			if lo, hi, ok := bar(pt, p.Y.Log); ok {
				ys = append(ys, lo, hi)
			}
		}
	}
	sx, sy := newScale(p.X, xs, b.X1, b.X2), newScale(p.Y, ys, b.Y2, b.Y1)
	out := panel{Title: p.Title, XLabel: p.X.Label, LogX: p.X.Log, LogY: p.Y.Log, Box: b}
	if p.Y.Label != "" {
		out.Title += " (" + p.Y.Label + ")"
	}
	for i, v := range sx.ticks() {
		if at := sx.at(v); at < sx.from-1 || at > sx.to+1 {
			continue // a tick that is given, where no point is
		}
		text := number(v)
		if i < len(p.X.TickNames) {
			text = p.X.TickNames[i]
		}
		out.Ticks = append(out.Ticks, tick{sx.at(v), b.Y1, sx.at(v), b.Y2, sx.at(v), b.Y2 + 16, "middle", text, "x", v})
	}
	for _, v := range sy.ticks() {
		out.Ticks = append(out.Ticks, tick{b.X1, sy.at(v), b.X2, sy.at(v), b.X1 - 6, sy.at(v) + 4, "end", number(v), "y", v})
	}
	for _, quiet := range []bool{true, false} { // the quiet ones below the others
		for _, s := range p.Series {
			if s.Quiet == quiet {
				out.Lines = append(out.Lines, s.draw(sx, sy, styleOf(slices.Index(names, s.Name), s)))
			}
		}
	}
	if labeled {
		out.Labels = ends(out.Lines, b, x+width, p.Scatter, named)
	}
	if p.Scatter {
		for i := range out.Lines {
			out.Lines[i].scatter()
		}
	}
	var front strings.Builder
	for i, pt := range p.Front {
		fmt.Fprintf(&front, "%c%.1f %.1f", "ML"[min(i, 1)], sx.at(pt.X), sy.at(pt.Y))
	}
	out.Front = front.String()
	return out
}

// scatter leaves only the points, which quiet series have, too.
func (l *line) scatter() {
	l.Path = ""
	for i := range l.Dots {
		l.Dots[i].Quiet = false
	}
}

func (s *Series) draw(sx, sy *scale, st style) line {
	l := line{style: st, Name: s.Name}
	var path, bars strings.Builder
	for i, pt := range s.Points {
		px, py := sx.at(pt.X), sy.at(pt.Y)
		fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(i, 1)], px, py)
		text := fmt.Sprintf("%s: %.4g at %.4g", s.Name, pt.Y, pt.X)
		lo, hi, ok := bar(pt, sy.Log)
		if ok && !s.Quiet {
			fmt.Fprintf(&bars, "M%.1f %.1fV%.1f", px, sy.at(lo), sy.at(hi))
		}
		if ok {
			text = fmt.Sprintf("%s: %.4g ±%.2g at %.4g", s.Name, pt.Y, (pt.High-pt.Low)/2, pt.X)
			if middle := (pt.Low + pt.High) / 2; math.Abs(middle-pt.Y) > 1e-9*pt.Y {
				text = fmt.Sprintf("%s: %.4g, from %.4g to %.4g, at %.4g", s.Name, pt.Y, pt.Low, pt.High, pt.X)
			}
		}
		l.Dots = append(l.Dots, dot{st, px, py, text, pt, ok})
	}
	l.Path, l.Bars = path.String(), bars.String()
	return l
}

// bar returns the ends of pt's bar, if it has one that the axis can show.
func bar(pt Point, log bool) (lo, hi float64, ok bool) {
	ok = pt.High > pt.Low && !math.IsInf(pt.High-pt.Low, 0) && (!log || pt.Low > 0)
	return pt.Low, pt.High, ok
}

// short is v with k, M and G for thousands where that is shorter.
func short(v float64) string {
	for _, unit := range []struct {
		name string
		of   float64
	}{{"G", 1e9}, {"M", 1e6}, {"k", 1e3}} {
		if text := number(v/unit.of) + unit.name; math.Abs(v) >= unit.of && len(text) < len(number(v)) {
			return text
		}
	}
	return number(v)
}

func number(v float64) string {
	return fmt.Sprint(math.Round(v*1e6) / 1e6)
}
