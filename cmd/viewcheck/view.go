package main

// view is a view as the certificate has it, in bytes. For each process it has the location, the
// cursor and the process's own cells, after the shared registers. Numbers from ref on refer to
// processes: ref+2m+1 is member m, and ref+2m is a process between members m-1 and m.
type view string

const (
	none        = 99
	ref         = 100
	mostMembers = 20
)

// shape has the number of shared registers and of numbers for each process.
type shape struct{ shared, each int }

// field returns the place of a number of member m: 0 is the location, 1 the cursor.
func (s shape) field(m, number int) int { return s.shared + m*s.each + number }

// less returns a reference, or another number, when member m is left out.
func less(x byte, m int) byte {
	switch place := int(x) - ref; {
	case place < 2*m:
		return x
	case place > 2*m+2:
		return x - 2
	}
	return byte(ref + 2*m)
}

// leave returns the view without member m.
func (s shape) leave(v view, m int) view {
	var out []byte
	for i := range len(v) {
		if i < s.field(m, 0) || i >= s.field(m+1, 0) {
			out = append(out, less(v[i], m))
		}
	}
	return view(out)
}

// join yields each view of one process more that is v without its last member, number size, and w
// without its first one.
func (s shape) join(v, w view, size int, yield func(view)) {
	out := make([]byte, 0, len(v)+s.each)
	var fill func()
	fill = func() {
		i := len(out)
		if i == cap(out) {
			yield(view(out))
			return
		}
		inV, inW, inFirst := i < len(v), i, i >= s.shared && i < s.field(1, 0)
		if i >= s.shared {
			inW -= s.each
		}
		var least byte
		if inV {
			least = v[i]
		} else {
			least = w[inW]
		}
		for x := least; x <= least+2; x++ { // less takes 2 off at most
			if (!inV || less(x, size) == v[i]) && (inFirst || less(x, 0) == w[inW]) {
				out = append(out, x)
				fill()
				out = out[:i]
			}
		}
	}
	fill()
}
