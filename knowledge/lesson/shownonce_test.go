package lesson

import "testing"

// A title that is the beginning of the text is not said twice.
func TestTitleIsSaidOnce(t *testing.T) {
	for _, c := range []struct{ title, body, want string }{
		{"Use the `slog` logger", "Use the `slog` logger. No `log.Printf`", "Use the `slog` logger. No `log.Printf`"},
		{"Wrap errors with what was …", "Wrap errors with what was tried, not with \"failed to\"", "Wrap errors with what was tried, not with \"failed to\""},
		{"Amounts are cents", "**Why**: floats lost one", "Amounts are cents. **Why**: floats lost one"},
	} {
		l := &Lesson{Kind: Requirement, Title: c.title, Body: c.body, Path: ".lessons/x.md"}
		if got := l.Said(); got != c.want {
			t.Errorf("%q: %q", c.title, got)
		}
	}
}
