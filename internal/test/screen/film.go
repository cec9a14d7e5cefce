package screen

import (
	"fmt"
	"strings"
)

// secondsEach is how long each screen of a film is shown.
const secondsEach = 3

// Film draws screens one after another, again and again. Who asked for less motion sees the
// first one.
func Film(title string, captured []string, columns int) string {
	frames, rows := make([][]string, len(captured)), 0
	for i, one := range captured {
		frames[i] = linesOf(one)
		rows = max(rows, len(frames[i]))
	}
	var b strings.Builder
	begin(&b, title, columns, rows)
	whole := secondsEach * len(frames)
	fmt.Fprintf(&b, `<style>
.f { visibility: hidden; animation: f %ds step-end infinite }
@keyframes f { 0%% { visibility: visible } %.3f%% { visibility: hidden } }
@media (prefers-reduced-motion: reduce) { .f { animation: none } .first { visibility: visible } }
</style>
`, whole, 100/float64(len(frames))-0.001) // never two at once, whatever is rounded
	for i, lines := range frames {
		class := "f"
		if i == 0 {
			class = "f first"
		}
		fmt.Fprintf(&b, "<g class=\"%s\" style=\"animation-delay: %ds\">\n", class, secondsEach*i-whole)
		drawLines(&b, lines)
		b.WriteString("</g>\n")
	}
	return b.String() + "</svg>\n"
}
