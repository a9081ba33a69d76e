package wire

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Setting is a setting that all nodes of a run must share.
type Setting struct{ Name, Value string }

// maxText is the maximum length of a text in a frame, in bytes.
const maxText = 2048

// Differences describes the settings that differ between this process and another
// process, as "-alg: raymond here, central there".
func Differences(here, there []Setting) (all []string) {
	value := func(of []Setting, name string) string {
		for _, s := range of {
			if s.Name == name {
				return s.Value
			}
		}
		return "nothing"
	}
	seen := map[string]bool{}
	for _, s := range append(append([]Setting(nil), here...), there...) {
		a, b := value(here, s.Name), value(there, s.Name)
		if a != b && !seen[s.Name] {
			all = append(all, fmt.Sprintf("%s: %s here, %s there", s.Name, a, b))
		}
		seen[s.Name] = true
	}
	return all
}

func settingsText(all []Setting) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.Name + "=" + s.Value + "\n")
	}
	return b.String()
}

func parseSettings(text string) (all []Setting, err error) {
	for line := range strings.Lines(text) {
		name, value, found := strings.Cut(line, "=")
		if !found || name == "" || !strings.HasSuffix(value, "\n") {
			return nil, fmt.Errorf("%w: a setting is no line NAME=VALUE", ErrMalformed)
		}
		all = append(all, Setting{name, strings.TrimSuffix(value, "\n")})
	}
	return all, nil
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// text reads a text that is safe to print on a terminal.
func (r *reader) text() (string, error) {
	n := r.uvarint()
	if r.bad || n > maxText || n > uint64(len(r.b)) {
		return "", fmt.Errorf("%w: a text is cut short or too long", ErrMalformed)
	}
	text := string(r.b[:n])
	r.b = r.b[n:]
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool { return c != '\n' && unicode.IsControl(c) }) {
		return "", fmt.Errorf("%w: a text has control characters", ErrMalformed)
	}
	return text, nil
}
