package verdict

import "strings"

// List joins words, with "and" before the last.
func List(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
