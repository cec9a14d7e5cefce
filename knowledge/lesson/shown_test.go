package lesson

import (
	"strings"
	"testing"
)

func TestWhatAnAgentIsShown(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for _, c := range []struct{ name, title, body, want string }{
		{"all of it", "Title", "Wrong.\n\n**Fix**: right", "HIGH warning: Title. Wrong. **Fix**: right"},
		{"a sentence that goes on", "A timeout wants a unit", "a bare number is refused", "HIGH warning: A timeout wants a unit: a bare number is refused"},
		{"a sentence behind a colon", "Here: units", "a bare number is refused", "HIGH warning: Here: units; a bare number is refused"},
		{"a title that ends", "Why?", "because", "HIGH warning: Why? because"},
		{"its fix", "Title", long + "\n\n**Fix**: right", "HIGH warning: Title. **Fix**: right"},
		{"a fix by another name", "Title", long + "\n\n- **Mitigate**: right", "HIGH warning: Title. - **Mitigate**: right"},
		{"as many sentences as fit", "Title", long + "\n\n**Fix**: One. Two `a. b`. " + long, "HIGH warning: Title. **Fix**: One. Two `a. b`."},
		{"where to read it", "Title", long, "HIGH warning: Title. Read .lessons/a.md"},
		{"where to read it, below a long title", strings.TrimSpace(long), long, "HIGH warning: " + strings.Repeat("word ", 32) + "… Read .lessons/a.md"},
		{"nothing but the title", "Title", "", "HIGH warning: Title"},
	} {
		l := &Lesson{Title: c.title, Body: c.body, Kind: Warning, Priority: 7, Path: ".lessons/a.md"}
		if got := l.Shown(); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.want)
		}
	}
}
