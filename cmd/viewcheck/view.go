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

// join yields each view of one process more that is v without its last member and w without its
// first one. Each is of size members.
func (s shape) join(v, w view, size int, yield func(view)) {
	end := byte(ref + 2*size) // in v, for the last member and what is beside it
	out := make([]byte, 0, len(v)+s.each)
	var fill func()
	fill = func() {
		i := len(out)
		if i == len(v)+s.each {
			yield(view(out))
			return
		}
		put := func(x byte) {
			out = append(out, x)
			fill()
			out = out[:i]
		}
		inV, inW := i < len(v), i < s.shared || i >= s.field(1, 0)
		var a, b byte
		if inV {
			a = v[i]
		}
		if j := i; inW {
			if j >= s.shared {
				j -= s.each
			}
			b = w[j]
		}
		for _, x := range candidates(a, b, inV, inW, end) {
			if (!inV || less(x, size) == a) && (!inW || less(x, 0) == b) {
				put(x)
			}
		}
	}
	fill()
}

// candidates returns what a number may be that is a without the last member, b without the
// first one.
func candidates(a, b byte, inV, inW bool, end byte) []byte {
	switch {
	case inV && a < end:
		return []byte{a}
	case inV && !inW:
		return []byte{end, end + 1, end + 2}
	case b < ref:
		return []byte{b}
	case b > ref:
		return []byte{b + 2}
	}
	return []byte{ref, ref + 1, ref + 2}
}
