// Package plottest reads what a drawing says, for tests that must not depend on how it is
// drawn.
package plottest

import (
	"html"
	"regexp"
)

// A Mark is one point of a drawing: the series, the value with its interval, and the
// place on the other axis.
type Mark struct{ Series, Value, At string }

var (
	title = regexp.MustCompile(`<title>(.*?): (.*?),? at ([^<]*)</title>`)
	// inline is a series of a drawing in a page, or one of its points.
	inline = regexp.MustCompile(`<g class="[^"]*series[^"]*" data-series="([^"]*)">|<use[^>]*? data-x="([^"]*)"(?: data-y="([^"]*)")?`)
)

// Marks returns the points of the drawings in a text, in order: of files by their titles,
// which a browser shows and reads out, and of pages by their data.
func Marks(text string) (all []Mark) {
	for _, m := range title.FindAllStringSubmatch(text, -1) {
		all = append(all, Mark{html.UnescapeString(m[1]), html.UnescapeString(m[2]), html.UnescapeString(m[3])})
	}
	series := ""
	for _, m := range inline.FindAllStringSubmatch(text, -1) {
		if m[2] == "" {
			series = html.UnescapeString(m[1])
			continue
		}
		all = append(all, Mark{series, m[3], m[2]})
	}
	return all
}
