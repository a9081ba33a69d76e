package explore

// rows is an array of rows of equal length. When it grows, only its beginning is copied.
type rows[T any] struct {
	per    int // the length of a row
	blocks [][]T
}

// A block has blockRows rows; the first begins with firstRows and is doubled.
const (
	blockBits = 16
	blockRows = 1 << blockBits
	firstRows = 1 << 8
)

// at returns row number i.
func (r *rows[T]) at(i uint32) []T {
	k := int(i&(blockRows-1)) * r.per
	return r.blocks[i>>blockBits][k : k+r.per : k+r.per]
}

// capacity returns how many rows there is room for, at least count.
func capacity(count int) int {
	size := firstRows
	for size < count && size < blockRows {
		size *= 2
	}
	if size < count {
		size = (count + blockRows - 1) / blockRows * blockRows
	}
	return size
}

// grow makes room for count rows.
func (r *rows[T]) grow(count int) {
	if len(r.blocks) == 0 {
		r.blocks = append(r.blocks, nil)
	}
	if first := min(capacity(count), blockRows) * r.per; len(r.blocks[0]) < first {
		bigger := make([]T, first)
		copy(bigger, r.blocks[0])
		r.blocks[0] = bigger
	}
	for len(r.blocks)*blockRows < count {
		r.blocks = append(r.blocks, make([]T, blockRows*r.per))
	}
}
