package cli

// Nearest returns the word that differs least from name: at most a third of its letters
// may be wrong. The result is empty if no word is so near.
func Nearest(name string, words []string) string {
	best, least := "", len(name)/3+1
	for _, word := range words {
		if d := distance(name, word); d < least {
			best, least = word, d
		}
	}
	return best
}

// distance is the Levenshtein distance between two ASCII strings, in which two letters in
// the wrong order are one mistake.
func distance(a, b string) int {
	var before, above []int // the rows of the letters before
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, above, row = above, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := above[j]
			if a[i] != b[j] {
				cost++
			}
			row[j+1] = min(cost, row[j]+1, above[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
