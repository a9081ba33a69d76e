package permission

import "shmbench/distributed"

// Plane returns the lines of the projective plane of n = q²+q+1 points, q a
// prime power, line i holding point i; nil if n is not such a number. It takes
// Singer's difference set D of q+1 numbers, in which each non-zero number mod n
// is a difference once: the lines are the sets i + D (James Singer, A Theorem
// in Finite Projective Geometry and Some Applications to Number Theory, Trans.
// AMS 43, 1938, pp. 377–385).
func Plane(n int) [][]distributed.ID {
	q := 2
	for q*q+q+1 < n {
		q++
	}
	f := newField(q)
	if q*q+q+1 != n || f == nil {
		return nil
	}
	d := f.singer(n)
	lines := make([][]distributed.ID, n)
	for i := range lines {
		for _, k := range d {
			lines[i] = append(lines[i], distributed.ID((i+k)%n))
		}
	}
	return lines
}

// field is the finite field of q elements, numbered 0..q-1.
type field struct {
	q         int
	sum, prod [][]int
}

// newField returns the field of q elements, nil if q is no prime power. Its
// elements are polynomials over the integers mod p, written as numbers to base
// p, modulo the first polynomial that leaves no divisors of zero.
func newField(q int) *field {
	p := 2
	for q%p != 0 {
		p++
	}
	k, rest := 0, q
	for rest%p == 0 {
		k, rest = k+1, rest/p
	}
	if rest != 1 {
		return nil
	}
	for tail := range q { // x^k = −tail
		f := &field{q: q, sum: table(q), prod: table(q)}
		f.fill(p, k, tail)
		if f.whole() {
			return f
		}
	}
	panic("a prime power without a field") // there is an irreducible polynomial of every degree
}

func table(q int) [][]int {
	t := make([][]int, q)
	for i := range t {
		t[i] = make([]int, q)
	}
	return t
}

// fill computes the tables of polynomials mod p modulo x^k + tail.
func (f *field) fill(p, k, tail int) {
	digits := func(v int) []int {
		d := make([]int, k)
		for i := range d {
			d[i], v = v%p, v/p
		}
		return d
	}
	number := func(d []int) int {
		v := 0
		for i := k - 1; i >= 0; i-- {
			v = v*p + d[i]
		}
		return v
	}
	low := digits(tail)
	for a := range f.q {
		for b := range f.q {
			da, db := digits(a), digits(b)
			sum, prod := make([]int, k), make([]int, 2*k)
			for i := range k {
				sum[i] = (da[i] + db[i]) % p
				for j := range k {
					prod[i+j] = (prod[i+j] + da[i]*db[j]) % p
				}
			}
			for top := 2*k - 1; top >= k; top-- {
				for j := range k {
					prod[top-k+j] = (prod[top-k+j] + (p-low[j])*prod[top]) % p
				}
			}
			f.sum[a][b], f.prod[a][b] = number(sum), number(prod[:k])
		}
	}
}

// whole reports whether no two non-zero elements have a product of zero.
func (f *field) whole() bool {
	for a := 1; a < f.q; a++ {
		for b := 1; b < f.q; b++ {
			if f.prod[a][b] == 0 {
				return false
			}
		}
	}
	return true
}

// singer returns a difference set mod n = q²+q+1 that holds 0: the exponents
// i for which x^i, modulo a cubic polynomial over f whose x generates the
// points, has no x² in it.
func (f *field) singer(n int) []int {
	for c := 1; c < f.q; c++ {
		for b := range f.q {
			for a := range f.q {
				if d := f.flat(n, a, b, c); len(d) == f.q+1 && differences(d, n) {
					return d
				}
			}
		}
	}
	panic("a projective plane without a difference set") // Singer's theorem
}

// flat returns the exponents i < n for which x^i has no x², where
// x³ = a x² + b x + c.
func (f *field) flat(n, a, b, c int) []int {
	var d []int
	x := [3]int{1, 0, 0}
	for i := range n {
		if x[2] == 0 {
			d = append(d, i)
			if len(d) > f.q+1 {
				return nil
			}
		}
		top := x[2]
		x = [3]int{f.prod[c][top], f.sum[x[0]][f.prod[b][top]], f.sum[x[1]][f.prod[a][top]]}
	}
	return d
}

// differences reports whether each non-zero number mod n is a difference of
// two members of d just once.
func differences(d []int, n int) bool {
	seen := make([]bool, n)
	for _, i := range d {
		for _, j := range d {
			if i == j {
				continue
			}
			k := (i - j + n) % n
			if seen[k] {
				return false
			}
			seen[k] = true
		}
	}
	return true
}
