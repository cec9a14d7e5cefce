package artifact

import (
	"slices"
	"strings"
	"testing"
)

func TestMarkersOfCommandsAndSkills(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"command", "---\ndescription: \"x\"\n# source: self-learning:obs_c1\n---\n# T\n", "obs_c1"},
		{"skill", "---\nname: x\nmetadata:\n  source: self-learning:obs_s1\n---\n", "obs_s1"},
		{"CRLF", "---\r\nname: x\r\nsource: self-learning:obs_s1\r\n---\r\n", "obs_s1"},
		{"quoted", "---\nsource: \"self-learning:obs_s1\"\n---\n", "obs_s1"},
		{"never closed", "---\nsource: self-learning:obs_s1\n", "obs_s1"},
		{"body", "---\nname: x\n---\nsource: self-learning:obs_s1\n", ""},
		{"no front matter", "source: self-learning:obs_s1\n", ""},
		{"fence", "```\n---\nsource: self-learning:obs_s1\n---\n```\n", ""},
		{"another source", "---\nsource: https://example.invalid\n---\n", ""},
		{"devflow", "---\n# devflow-learning: auto-generated (2026-11-20, confidence: 0.66, obs: 2)\n---\n", ""},
	}
	for _, tt := range tests {
		if got := MarkerOf([]byte(tt.text)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if i := slices.IndexFunc(tests, func(c struct{ name, text, want string }) bool { return c.name == "command" }); MarkerOf([]byte(strings.Replace(tests[i].text, "obs_c1", "../x", 1))) != "" {
		t.Error("a path is taken for an id")
	}
}
