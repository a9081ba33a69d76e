// Package words holds what the texts of several packages need to read as English.
package words

import "fmt"

// Counted returns n with the word for one thing or for several, "1 process" or "2 processes".
func Counted(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
