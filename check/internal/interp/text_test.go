package interp

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestText holds conversions between strings, bytes and runes, and what append and
// copy make of strings, against the compiler.
func TestText(t *testing.T) {
	var c compiled
	c.add("bytes to a string", `s := string([]byte{byte(a), byte(b), 'x'}) + "y"
	return uint64(len(s))<<16 | uint64(s[0])<<8 | uint64(s[1])`)
	c.add("a string to bytes", `bs := []byte("h\u00e9llo"); bs[0] = byte(a)
	return uint64(bs[0])<<16 | uint64(bs[1])<<8 | uint64(len(bs))`)
	c.add("a string to runes", `rs := []rune("h\u00e9llo\xff"); rs[0] += rune(a)
	return uint64(rs[0]) ^ uint64(rs[1])<<8 ^ uint64(rs[len(rs)-1])<<20 ^ uint64(len(rs))`)
	c.add("runes to a string", `s := string([]rune{rune(a), rune(b)})
	return uint64(len(s))<<8 | uint64(s[0])`)
	c.add("a rune to a string", `s := string(rune(a))
	return uint64(len(s))<<8 | uint64(s[len(s)-1])`)
	c.add("copy of a string", `bs := []byte{1, 2, 3}; n := copy(bs[1:], "abcd")
	return uint64(n)<<16 | uint64(bs[1])<<8 | uint64(bs[0])`)
	c.add("append of a string into room", `var room [4]byte; more := append(room[:1], "ab"...)
	return uint64(room[2])<<16 | uint64(more[1])<<8 | uint64(len(more))`)
	c.add("append of a string without room", `full := []byte{1}; more := append(full, "ab"...); more[0] = 9
	return uint64(full[0])<<16 | uint64(more[2])<<8 | uint64(len(more))`)
	c.add("clear of a part", `s := []uint64{a, b, a}; clear(s[1:2])
	return s[0]<<8 ^ s[1] ^ s[2]`)
	same, refused := c.run(t, "", [][2]uint64{{0, 0}, {65, 233}, {0x10FFFF, 0xD800}, {1 << 40, 1<<31 - 1}})
	require.Equal(t, 36, same)
	require.Zero(t, refused)
}

// TestBlur: what is not known is written to known memory while the lock is built;
// then that is not known either.
func TestBlur(t *testing.T) {
	var c compiled
	c.add("copy of unknown bytes", `bs := []byte{1, 2}; copy(bs, os.Args[0])
	return uint64(bs[0])`)
	c.add("append of unknown bytes into room", `var room [9]byte; _ = append(room[:0], os.Args[0][:1]...)
	return uint64(room[0])`)
	same, refused := c.run(t, "", [][2]uint64{{0, 0}})
	require.Zero(t, same)
	require.Equal(t, 2, refused)
}
