package distributed

import "encoding/binary"

// AppendInts appends vs to b as varints, the form that canonical states use.
func AppendInts[T ~int | ~int32 | ~int64](b []byte, vs ...T) []byte {
	for _, v := range vs {
		b = binary.AppendVarint(b, int64(v))
	}
	return b
}

// AppendBools appends vs to b, eight to a byte.
func AppendBools(b []byte, vs ...bool) []byte {
	for i, v := range vs {
		if i%8 == 0 {
			b = append(b, 0)
		}
		if v {
			b[len(b)-1] |= 1 << (i % 8)
		}
	}
	return b
}
