package compare

import "fmt"

// doubt is samples of a benchmark in a file that are left out.
type doubt struct {
	name, file, why string
	samples         int
}

// doubts are in the order in which they were met.
type doubts []doubt

func (d *doubts) add(name, file, why string) {
	for i := range *d {
		if at := &(*d)[i]; at.name == name && at.file == file {
			at.samples, at.why = at.samples+1, why
			return
		}
	}
	*d = append(*d, doubt{name, file, why, 1})
}

// text has a line for each, with the reason of its last sample.
func (d doubts) text() (lines []string) {
	for _, x := range d {
		lines = append(lines, fmt.Sprintf("%s in %s: %d: %s", x.name, x.file, x.samples, x.why))
	}
	return lines
}
