// Package checkout adds up a basket.
package checkout

// Total is the sum of the prices in cents.
func Total(prices []int) int {
	sum := 0
	for _, p := range prices {
		sum += p
	}
	return sum
}
