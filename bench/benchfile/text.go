package benchfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"unicode/utf16"
)

// utf8Mark is the byte order mark of UTF-8.
const utf8Mark = "\xef\xbb\xbf"

// Text returns the text of a file in UTF-8 without a byte order mark. The file is in UTF-8, or
// in UTF-16 behind a mark, as ">" of PowerShell writes it.
func Text(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, longest)
	mark, _ := b.Peek(len(utf8Mark)) // an error is that of the next Read
	switch {
	case bytes.HasPrefix(mark, []byte(utf8Mark)):
		b.Discard(len(utf8Mark))
	case bytes.HasPrefix(mark, []byte("\xff\xfe")):
		return fromUTF16(b, binary.LittleEndian)
	case bytes.HasPrefix(mark, []byte("\xfe\xff")):
		return fromUTF16(b, binary.BigEndian)
	}
	return b, nil
}

// fromUTF16 decodes what follows a byte order mark of two bytes. Half a character at the end,
// where a file was cut off, is left out.
func fromUTF16(r io.Reader, order binary.ByteOrder) (io.Reader, error) {
	data, err := io.ReadAll(r)
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i+1 < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	return strings.NewReader(string(utf16.Decode(units))), err
}
