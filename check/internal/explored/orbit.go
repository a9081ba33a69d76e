package explored

import "shmbench/check/internal/explore"

// Orbit returns an image of the visited states, or, if they are counted up to symmetries, one image
// for each symmetry. Together they are images of all states that can be reached.
func (x *Lock) Orbit(image explore.Image) []explore.Image {
	if q, ok := x.Graph.Sys.(*explore.Quotient); ok {
		return q.Orbit(image)
	}
	return []explore.Image{image}
}

// PathTo returns a shortest schedule to a state, or to what a symmetry, by its number in Orbit, makes of it.
func (x *Lock) PathTo(id uint32, symmetry int) []int {
	if q, ok := x.Graph.Sys.(*explore.Quotient); ok {
		return q.PathTo(x.Graph, id, symmetry)
	}
	return x.Path(id)
}
