package redact

import (
	"slices"
	"strings"
	"testing"
)

// What a person typed stays as it is: addresses, hosts, folders and words that only
// look like a password are what a lesson says. A key of a known form goes, and is told.
func TestWhatAPersonTypedLosesKnownSecretsAlone(t *testing.T) {
	key := "ghp_" + strings.Repeat("a1B2", 9)
	for _, c := range []struct{ text, want string }{
		{"mail dev@example.com from /home/dev/x at 10.0.0.1", ""},
		{"password=hunter2 in the tests", ""},
		{"postgres://app:app@localhost/db and http://intranet.local/", ""},
		{"Authorization: Bearer abc", ""},
		{"push with " + key + " once", "push with [REDACTED] once"},
	} {
		var told []string
		r := Redactor{Home: "/home/dev", User: "dev", Typed: func(secret string) { told = append(told, secret) }}
		want := c.want
		if want == "" {
			want = c.text
		}
		if got := r.Text(c.text).String(); got != want {
			t.Errorf("%q: %q, want %q", c.text, got, want)
		}
		if taken := c.want != ""; taken != slices.Equal(told, []string{key}) || !taken && len(told) > 0 {
			t.Errorf("%q: told %q", c.text, told)
		}
	}
}
