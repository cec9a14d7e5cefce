package scan

import (
	"strings"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// storedExamples returns the examples that may be stored with a trigger:
// redacted, of one line, short, and such that the trigger as it is stored does
// on them what it should. What a command lost to redaction may have been what
// the trigger is about.
func storedExamples(e lesson.Examples, t *lesson.Trigger, r *redact.Redactor, roots []string) lesson.Examples {
	if t == nil || e.IsZero() {
		return lesson.Examples{}
	}
	fires, _ := compile.Matcher(t)
	fit := func(lines []string, want bool) (kept []string) {
		for _, line := range lines {
			for _, root := range roots {
				line = strings.ReplaceAll(line, strings.TrimRight(root, `/\`)+"/", "")
			}
			line = strings.TrimSpace(r.Text(line).String())
			if line != "" && len(line) <= lesson.MaxExampleBytes && !strings.Contains(line, "\n") && fires(line) == want {
				kept = append(kept, line)
			}
		}
		return kept
	}
	return lesson.Examples{Match: fit(e.Match, true), Miss: fit(e.Miss, false)}
}
