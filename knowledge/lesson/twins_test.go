package lesson

import (
	"errors"
	"strings"
	"testing"
)

const twin = "---\nid: 01JQXYZ0000000000000000001\nkind: warning\npriority: low\nstatus: draft\nconfidence: 0.6\naction: auto\ntriggers:\n  tools: [Bash]\n" +
	"  commands: [\"gh pr diff --stat\"]\ncreated: 2026-03-01\nseen: {sessions: 1, first: 2026-03-01, last: 2026-03-01, hashes: [aaaa]}\n---\n# gh fails\n\nUse --name-only.\n"

// TestTwinsKeepAPersonsWords: of two files that clones wrote apart, what a person said
// holds over what was rendered, whichever comes first, and the evidence is of both.
func TestTwinsKeepAPersonsWords(t *testing.T) {
	edited := strings.Replace(twin, "Use --name-only.", "Ask Ann.", 1) // less than the rendered words
	other := strings.Replace(twin, "aaaa", "bbbb", 1)
	saidBy := func(l *Lesson) int {
		if strings.Contains(l.Body, "Use --name-only.") {
			return 0
		}
		return 1
	}
	for _, c := range [][2]string{{edited, other}, {other, edited}} {
		out, err := MergeTwins(".lessons/a-1234.md", []byte(c[0]), []byte(c[1]), saidBy)
		if err != nil || !strings.Contains(string(out), "Ask Ann.") || !strings.Contains(string(out), "hashes: [aaaa, bbbb]") {
			t.Errorf("%v\n%s", err, out)
		}
	}
	again := strings.Replace(other, "Use --name-only.", "Ask Bob.", 1)
	if _, err := MergeTwins(".lessons/a-1234.md", []byte(edited), []byte(again), saidBy); !errors.Is(err, ErrWords) {
		t.Errorf("two people's words: %v", err)
	}
}
