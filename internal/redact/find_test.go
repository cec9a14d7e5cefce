package redact_test

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/redact"
)

func TestSecrets(t *testing.T) {
	key := "ghp_" + strings.Repeat("a1B2", 9)
	for _, c := range []struct {
		text string
		want int
	}{
		{"nothing here, see dev@example.com and 10.0.0.1", -1},
		{"token " + key, 6},
		{"mysql --password=correct-horse-battery", -1},
		{"export DB_PASSWORD=hunter2hunter2", -1},
	} {
		got := redact.Secrets(c.text)
		if (len(got) > 0) != (c.want >= 0) || c.want >= 0 && got[0] != c.want {
			t.Errorf("%q: %v, want %d", c.text, got, c.want)
		}
	}
}
