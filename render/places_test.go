package render

import (
	"slices"
	"testing"
)

func TestPlacesIn(t *testing.T) {
	for text, want := range map[string][]string{
		"src/a.go fails":   {"src/a.go"},
		"`src/a.go` fails": {"src/a.go"},
		"`go vet ./cmd/x` failed: cmd/y.go is broken":       {"cmd/y.go"},
		"``perl -e \"s/`a b` is `c/d.go` …\"`` failed":      nil,
		"`left open src/a.go":                               nil,
		"`go test ./...` in src/a.go, or ``b `src/c.go` ``": {"src/a.go"},
	} {
		if got := placesIn(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
