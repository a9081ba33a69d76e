// Package plottest reads what a drawing says, for tests that must not depend on how it is
// drawn.
package plottest

import (
	"html"
	"regexp"
)

// A Mark is one point of a drawing, as its title says it: the series, the value with its
// interval, and the place on the other axis.
type Mark struct{ Series, Value, At string }

var title = regexp.MustCompile(`<title>(.*?): (.*?),? at ([^<]*)</title>`)

// Marks returns the points of the drawings in a text, in order. The title of a point is
// what a browser shows and reads out.
func Marks(text string) (all []Mark) {
	for _, m := range title.FindAllStringSubmatch(text, -1) {
		all = append(all, Mark{html.UnescapeString(m[1]), html.UnescapeString(m[2]), html.UnescapeString(m[3])})
	}
	return all
}
