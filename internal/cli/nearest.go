package cli

// Nearest returns the one of the words whose spelling is nearest to that of name, or
// "" if more than a third of the letters of name differ from every word.
func Nearest(name string, words []string) string {
	best, least := "", len(name)/3+1
	for _, word := range words {
		if d := distance(name, word); d < least {
			best, least = word, d
		}
	}
	return best
}

// distance is the Levenshtein distance between two ASCII strings.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
