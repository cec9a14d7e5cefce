package render

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzEncoder feeds any bytes to what writes slash commands and skills.
func FuzzEncoder(f *testing.F) {
	for _, seed := range []string{
		"", "run !`id` @/etc/passwd $1", "```!\nrm\n```\n# x", "1. a 2. b 10. c", "a -> b => c", "\xff\x00\u202e", "- [ ] a\n- b\nc", "~~~\n```\n~~~~", "{{{{!{",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		line := inert(text)
		checkInert(t, line)
		if strings.ContainsAny(line, "\r\n") || !utf8.ValidString(line) {
			t.Fatalf("not one line of UTF-8: %q", line)
		}
		if again := inert(line); strings.TrimLeft(again, `\`) != strings.TrimLeft(line, `\`) {
			t.Fatalf("encoding again changes it: %q, %q", line, again)
		}
		block := inertBlock(text)
		checkInert(t, block)
		fences := 0
		for l := range strings.Lines(block) {
			if strings.TrimRight(l, "\n") == "```" {
				fences++
			}
		}
		if fences%2 != 0 {
			t.Fatalf("a fence is open:\n%s", block)
		}
		skill := sealed([]byte("---\nname: x\nmetadata:\n  source: self-learning:x\n---\n\n" + block))
		if !untouched(skill) || untouched(append(skill, "x"...)) {
			t.Fatalf("the digest does not tell an edit:\n%s", skill)
		}
		for _, step := range stepsOf(text) {
			if step == "" || strings.Contains(step, "\n") {
				t.Fatalf("a step %q of %q", step, text)
			}
		}
	})
}
