package weigh

import (
	"slices"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for text, want := range map[string]string{
		"Never push to main, please!":               "never push to main , please !",
		"ids go out as strings (every endpoint)":    "ids go out as strings ( every endpoint )",
		"run `make gen` before src/api/users.go":    "run ~code before ~code",
		"set --no-verify or HTTP_PROXY or parseUrl": "set ~code or ~code or ~code",
		"keep 16 of 1,000 or 1.5%":                  "keep ~number of ~number or ~number %",
		"don’t":                                     "don't",
		"guest-only checkout":                       "guest - only checkout",
		"ähnlich groß":                              "ähnlich groß",
		"毎回main":                                    "毎 回 main",
		"":                                          "",
		"`":                                         "",
	} {
		if got := strings.Join(tokens(text), " "); got != want {
			t.Errorf("%q\n got %q\nwant %q", text, got, want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("`a` b/c (d), 1.5% -- …\xff 語")
	f.Fuzz(func(t *testing.T, text string) {
		for _, token := range tokens(text) {
			if token == "" {
				t.Errorf("an empty token of %q", text)
			}
		}
		Message([]Sentence{{Text: text}}).Is(0)
	})
}

func TestFeaturesAreSorted(t *testing.T) {
	f := Features(Sentence{Text: "we use pnpm, we use pnpm and we use pnpm", Marks: []string{"habit"}})
	if !slices.IsSorted(f) || len(slices.Compact(slices.Clone(f))) != len(f) {
		t.Error("features are not in order, or are there twice")
	}
}

// What the form of a sentence tells is a feature of its own.
func TestMarksAreFeatures(t *testing.T) {
	plain, marked := Features(Sentence{Text: "habit"}), Features(Sentence{Text: "habit", Marks: []string{"habit"}})
	if len(marked) != len(plain)+1 {
		t.Errorf("%d features without a mark, %d with one", len(plain), len(marked))
	}
}

// What is written down is read again.
func TestModelOf(t *testing.T) {
	all := map[Feature]Weights{1: {1, -2, 3, -4, 5}, 1 << 31: {127, -127}, 77: {0, 0, 0, 0, -1}}
	m := ModelOf(all)
	for f, want := range all {
		z := m.sum([]Feature{f})
		for c, w := range want {
			if z[c] != float64(w)/scale {
				t.Errorf("feature %d, class %d: %v, want %v", f, c, z[c], float64(w)/scale)
			}
		}
	}
	if w := m.weights(2); m.Features() != 3 || w != "" {
		t.Errorf("%d features, and %q for one that is not there", m.Features(), w)
	}
}

func TestWindows(t *testing.T) {
	for n, want := range map[int][]Window{0: nil, 1: {{0, 1}}, 5: {{0, 5}}, 7: {{0, 5}, {1, 6}, {2, 7}}} {
		if got := slices.Collect(Windows(n)); !slices.Equal(got, want) {
			t.Errorf("windows of %d sentences: %v, want %v", n, got, want)
		}
	}
}
