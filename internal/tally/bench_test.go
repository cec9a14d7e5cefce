package tally

import (
	"fmt"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/calls"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/problem"
)

// BenchmarkJudge holds 10,000 triggers of different programs, and as many again that
// share a few, against 20,000 calls.
func BenchmarkJudge(b *testing.B) {
	var claims []Claim
	for i := range 10_000 {
		l := lessonOf(fmt.Sprintf("l%05d", i))
		l.Triggers.Commands = []string{fmt.Sprintf("tool%d run --flag%d", i%2_000, i)}
		if i%10 == 0 {
			l.Triggers = lesson.Trigger{Tools: []string{"Edit"}, Paths: []string{fmt.Sprintf("web/page%d/*.ts", i)}}
		}
		claims = append(claims, Claim{Lesson: l})
	}
	var log []calls.Session
	for i := range 200 {
		s := calls.Session{Name: fmt.Sprint("s", i)}
		for j := range 100 {
			c := calls.Call{ID: fmt.Sprint(j), Line: j, At: int64(i*1000 + j), Tool: "Bash", Outcome: calls.OK, Input: fmt.Sprintf("cd web && tool%d run --flag%d --verbose src/file%d.ts 2>&1 | tail -5", j*20, i, j)}
			if j%4 == 0 {
				c.Tool, c.Input = "Edit", fmt.Sprintf("web/page%d/cart.ts", i*j)
			}
			s.Calls = append(s.Calls, c)
		}
		log = append(log, s)
	}
	problems := problem.Gather(log)
	for b.Loop() {
		Judge(claims, log, problems)
	}
}
