package observe

import (
	"slices"
	"strings"
	"testing"
)

func TestShapesAreTheFirstWords(t *testing.T) {
	for _, c := range []struct {
		text  string
		least int
		want  []string
	}{
		{"“One” Two… (--Flag) three's", 3, []string{"scope one two --Flag three's"}},
		{"one two", 3, nil},
		{"", 0, []string{"scope"}},
		{strings.Repeat("w ", maxShapeWords+9), 1, []string{"scope" + strings.Repeat(" w", maxShapeWords)}},
	} {
		if got := shape("scope", c.text, c.least); !slices.Equal(got, c.want) {
			t.Errorf("the shape of %q is %q, want %q", c.text, got, c.want)
		}
	}
}

func TestNearShapes(t *testing.T) {
	of := func(scope, words string) []string { return []string{scope + " " + words} }
	text := "a b c d e f g h i j k l m n o p"
	for _, c := range []struct {
		other []string
		near  bool
	}{
		{of("abcdefghij", text), true},
		{of("abcdefghij", text+" q"), true},
		{of("abcdefghij", strings.Replace(text, "h", "x", 1)), false},
		{of("jihgfedcba", text+" q"), false},
	} {
		if got := alike(of("abcdefghij", text), c.other); got != c.near {
			t.Errorf("%q is near: %v", c.other, got)
		}
		if c.near && !meet(of("abcdefghij", text), c.other) {
			t.Errorf("%q does not meet", c.other)
		}
	}
}

// alike says whether any two of the shapes are near.
func alike(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool { return similar(x, y) })
	})
}

// meet says whether any two of the shapes that are near share a meeting point.
func meet(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool {
			return similar(x, y) && slices.ContainsFunc(meetingPoints(x), func(p uint64) bool { return slices.Contains(meetingPoints(y), p) })
		})
	})
}
