package prose

// Distance is the number of letters to change, add or drop between two words (Levenshtein);
// 64 where one is longer than that.
func Distance(a, b string) int {
	const longest = 64
	if max(len(a), len(b)) > longest {
		return longest
	}
	var all [longest + 1]int
	row := all[:len(b)+1]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
