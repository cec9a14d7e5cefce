package redact

import (
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/internal/cputime"
)

// cost is the shortest processor time of three in which a repeated text is
// redacted.
func cost(unit string, size int) time.Duration {
	text := strings.Repeat(unit, size/len(unit))
	best := time.Hour
	for range 3 {
		best = min(best, cputime.Of(func() {
			t := newScanner(text)
			t.scan()
			t.person("/home/quentin", "quentin")
			t.apply()
		}))
	}
	return best
}

func BenchmarkText(b *testing.B) {
	texts := map[string]string{
		"output":  strings.Repeat("    go test ./scan/... -run TestReader -count=1 # fails with: token expired at 12:03\n", 1000) + "export API_KEY=" + body36 + "\n",
		"prose":   strings.Repeat("The reader keeps what it cannot parse, and says in which line that stands. ", 1000),
		"escaped": strings.Repeat(`{\"path\":\"src\/main.go\",\"text\":\"a &amp; b\n\"},`, 1000),
		"word":    "internal/redact",
	}
	for name, text := range texts {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				you.Text(text)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	for _, s := range secrets[:12] {
		f.Add(s.text)
	}
	f.Add("password=\n\t'x\\\"")
	f.Fuzz(func(t *testing.T, text string) {
		checkRules(t, text)
		once := you.Text(text)
		if twice := you.Text(once.String()); twice != once {
			t.Errorf("%q gives %q and then %q", text, once, twice)
		}
		for _, n := range []int{0, 7, 40} {
			if got := once.Cut(n).String(); len(got) > n {
				t.Errorf("cut to %d gives %d bytes", n, len(got))
			}
		}
	})
}
