package scan

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/automata"
)

// allSets are the sets that detectors ask.
func allSets() map[string]*automata.Set {
	p := personPatterns()
	return map[string]*automata.Set{"stance": p.stance, "trouble": p.trouble, "opening": p.opening, "message": p.message, "claims": claimPatterns().kinds, "replies": agentPatterns().begins, "steps": knownSteps().any, "lines": linePatterns, "saying": errorTexts.lines, "summaries": summaries, "faults": faultKinds, "purposes": purposeWords}
}

// saidLines are the messages and answers of the dialogues, each line of them.
func saidLines(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no dialogues", err)
	}
	var all []string
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.FieldsFunc(strings.ReplaceAll(string(raw), `\n`, "\n"), func(r rune) bool { return r == '|' || r == '\n' }) {
			_, words, ok := strings.Cut(part, ":")
			if !ok {
				words = part
			}
			all = append(all, strings.TrimSpace(words))
		}
	}
	return all
}

// aSentence draws one of the dialogues' sentences, or one made of parts of them.
func aSentence(t *rapid.T, lines []string) string {
	part := rapid.SampledFrom(lines)
	s := part.Draw(t, "said")
	for range rapid.IntRange(0, 2).Draw(t, "more") {
		other := part.Draw(t, "other")
		s = s[:cutAt(t, s)] + rapid.SampledFrom([]string{"", " ", ", ", "? ", "错", "\n", " not "}).Draw(t, "between") + other[cutAt(t, other):]
	}
	return s
}

func cutAt(t *rapid.T, s string) int { return rapid.IntRange(0, len(s)).Draw(t, "cut") }

// A set says of each of its expressions what package regexp says.
func TestPatternSetsAnswerAsRegexp(t *testing.T) {
	lines := saidLines(t)
	for name, set := range allSets() {
		all := map[automata.Members]*regexp.Regexp{}
		for one, p := range set.Patterns() {
			all[one] = regexp.MustCompile(p.String())
		}
		check := func(t interface{ Errorf(string, ...any) }, s string) {
			told := set.In(s)
			for one, re := range all {
				if got, want := told.Has(one), re.MatchString(s); got != want {
					t.Errorf("%s in %q: %v", re, s, got)
				}
			}
		}
		t.Run(name, func(t *testing.T) {
			for _, s := range lines {
				check(t, s)
			}
			rapid.Check(t, func(t *rapid.T) { check(t, aSentence(t, lines)) })
		})
	}
}
