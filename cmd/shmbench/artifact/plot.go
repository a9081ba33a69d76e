package artifact

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// drawing is lines and texts on a page, in points from the upper left corner.
type drawing struct {
	width, height float64
	bars          []bar
	texts         []text
}

type bar struct{ x, y, width, height float64 }

type text struct {
	x, y float64
	says string
}

// plotted is the costs as bars: a row for each, with the interval as a thin bar.
func plotted(costs []Cost) *drawing {
	const left, row, scale = 230.0, 18.0, 300.0
	d := &drawing{width: left + scale + 90, height: row*float64(len(costs)) + 40}
	most := 1.0
	costs = slices.Clone(costs)
	for i, c := range costs {
		if math.IsInf(c.Hi, 0) { // too few samples for an interval
			costs[i].Lo, costs[i].Hi = c.Center, c.Center
		}
		most = max(most, costs[i].Hi)
	}
	d.texts = append(d.texts, text{10, 20, "ns per passage, median and interval"})
	for i, c := range costs {
		y := 30 + row*float64(i)
		d.texts = append(d.texts, text{10, y + 11, fmt.Sprintf("%s, %d processes", c.Lock, c.Procs)},
			text{left + c.Hi/most*scale + 6, y + 11, fmt.Sprintf("%.4g", c.Center)})
		d.bars = append(d.bars, bar{left, y + 3, c.Center / most * scale, 9}, bar{left + c.Lo/most*scale, y + 6.5, (c.Hi - c.Lo) / most * scale, 2})
	}
	return d
}

// shade is how dark the bars are: those of intervals are darker.
func shade(i int) float64 { return []float64{0.7, 0.2}[i%2] }

// SVG returns the plot of costs as SVG.
func SVG(costs []Cost) []byte {
	d := plotted(costs)
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" font-family="Helvetica, sans-serif" font-size="10">`+"\n", d.width, d.height)
	for i, r := range d.bars {
		gray := int(shade(i) * 255)
		fmt.Fprintf(&b, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="rgb(%d,%d,%d)"/>`+"\n", r.x, r.y, r.width, r.height, gray, gray, gray)
	}
	for _, t := range d.texts {
		fmt.Fprintf(&b, `<text x="%.2f" y="%.2f">%s</text>`+"\n", t.x, t.y, html.EscapeString(t.says))
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// PDF returns the same plot as PDF 1.4, with a font that every reader has. A page of bars and
// texts needs no library, and no browser.
func PDF(costs []Cost) []byte {
	d := plotted(costs)
	var page bytes.Buffer
	for i, r := range d.bars {
		fmt.Fprintf(&page, "%g g %.2f %.2f %.2f %.2f re f\n", shade(i), r.x, d.height-r.y-r.height, r.width, r.height)
	}
	page.WriteString("0 g BT /F 10 Tf\n")
	for _, t := range d.texts {
		fmt.Fprintf(&page, "1 0 0 1 %.2f %.2f Tm (%s) Tj\n", t.x, d.height-t.y, strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(t.says))
	}
	page.WriteString("ET\n")
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %g %g] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>", d.width, d.height),
		fmt.Sprintf("<< /Length %d >>\nstream\n%sendstream", page.Len(), page.String()),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	return b.Bytes()
}
