package observe

import (
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTextAfterASemicolonInDetailsIsNotLost(t *testing.T) {
	tests := []struct {
		name, details string
		want          map[string]string
	}{
		{"empty", "", map[string]string{}},
		{"parts", "context: a; decision: b; rationale: c", map[string]string{"context": "a", "decision": "b", "rationale": "c"}},
		{"semicolons", "context: a; b; c; decision: d; e", map[string]string{"context": "a; b; c", "decision": "d; e"}},
		{"unknown names stay text", "area: x; note: y; issue: z", map[string]string{"area": "x; note: y", "issue": "z"}},
		{"case and blanks", " Area : x ;  ISSUE: y", map[string]string{"area": "x", "issue": "y"}},
		{"a URL is no part", "issue: see http://a.b/c; impact: d", map[string]string{"issue": "see http://a.b/c", "impact": "d"}},
		{"plain text", "do this; then that", map[string]string{"": "do this; then that"}},
		{"text before a part", "note; area: x", map[string]string{"": "note", "area": "x"}},
		{"lines", "1. build\n2. test; lint\n3. push", map[string]string{"": "1. build\n2. test; lint\n3. push"}},
		{"twice", "area: x; issue: y; area: z", map[string]string{"area": "x; z", "issue": "y"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ParseDetails(tt.details); !maps.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestDetailsComeBackAsTheyWereFormatted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z,./]{1,6}(; ?[a-z]{1,5}){0,2}( [a-z]{1,5}){0,2}`)
		area, issue := word.Draw(t, "area"), word.Draw(t, "issue")
		got := ParseDetails(FormatDetails("area", area, "issue", issue, "impact", ""))
		normal := func(s string) string { return ParseDetails("area: " + s)["area"] }
		want := map[string]string{"area": normal(area), "issue": normal(issue)}
		if !maps.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func TestAValueCannotStartAFurtherPart(t *testing.T) {
	got := ParseDetails(FormatDetails("area", "x; issue: forged", "issue", "real"))
	if want := map[string]string{"area": "x, issue: forged", "issue": "real"}; !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What is formatted is what joining the parts makes.
func TestDetailsAreFormattedAsJoined(t *testing.T) {
	joined := func(namesAndValues ...string) string {
		var parts []string
		for i := 0; i+1 < len(namesAndValues); i += 2 {
			value := strings.TrimRight(strings.TrimSpace(namesAndValues[i+1]), "; ")
			if value == "" {
				continue
			}
			segments := strings.Split(value, ";")
			for j := 1; j < len(segments); j++ {
				separator := ";"
				if _, _, ok := detailPart(segments[j]); ok {
					separator = ","
				}
				segments[j] = separator + segments[j]
			}
			parts = append(parts, namesAndValues[i]+": "+strings.Join(segments, ""))
		}
		return strings.Join(parts, "; ")
	}
	rapid.Check(t, func(t *rapid.T) {
		pieces := []string{"", " ", ";", "; ", "area:", "Issue :", "a", "b c", "\n", ":"}
		value := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6).Draw(t, "pieces"), "")
		})
		parts := []string{"area", value.Draw(t, "area"), "issue", value.Draw(t, "issue"), "impact", value.Draw(t, "impact")}
		if got, want := FormatDetails(parts...), joined(parts...); got != want {
			t.Errorf("%q become %q, want %q", parts, got, want)
		}
	})
}
