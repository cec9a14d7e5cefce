package observe

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge"
)

func words(typ knowledge.Type, title string) Signal {
	return Signal{Type: typ, Origin: OriginDecision, Title: redact.Stored(title)}
}

// A decision comes back in other words; another rule about the same tool is none of it.
func TestWhatPersonsSayAgain(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Store amounts as integer cents", "Amounts in integer cents, like everywhere", true},
		{"Zeiten speichern wir in UTC", "Zeitpunkte bitte in UTC wie besprochen", true},
		{"Usemos uuid v7 en vez de autoincremental", "uuid v7 para los ids, como en las facturas", true},
		{"缓存放 redis，不要放进程内存", "缓存统一放 redis", true},
		{"スタイルはTailwindじゃなくてCSS Modulesにしよう", "スタイルはCSS Modulesでお願い、Tailwindは使わない", true},
		{"Go with slog, not zap", "slog here too, we said no zap", true},

		{"Stay on sqlite for the job queue", "The queue lives in SQLite", true},
		{"Raw detector output stays in HDF5", "We stick with HDF5 for the detector", true},
		{"Keep sqlite for the job queue", "The queue of the mailer is polled every minute", false},

		{"Go with slog, not zap", "Go with zap, not slog", false},
		{"Use pnpm, not npm", "Run pnpm install before pnpm test", false},
		{"Write commit messages in English", "Begin commit messages with the ticket's number", false},
		{"Use vitest for unit tests", "vitest tests live beside the code that they test", false},
		{"Always squash before merging", "Never merge without a review", false},
		{"No, the other file", "The other file", false},
	} {
		a, b := spokenOf(words(knowledge.Decision, c.a)), spokenOf(words(knowledge.Decision, c.b))
		if got := alike(a, b); got != c.same || got != alike(b, a) {
			t.Errorf("%q and %q: the same is %v\n%q\n%q", c.a, c.b, got, a, b)
		}
	}
}

// What is the same meets, whatever the words: else the log would not compare it.
func TestWhatPersonsSayAgainMeets(t *testing.T) {
	vocabulary := []string{"slog", "zap", "not", "utc", "times", "timestamps", "store", "cents", "like everywhere", ",", "缓存", "スタイル", "redis", "never"}
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) []string {
			title := ""
			for _, w := range rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 7).Draw(t, name) {
				title += " " + w
			}
			return spokenOf(words(knowledge.Decision, title))
		}
		a, b := text("a"), text("b")
		if alike(a, b) && !meet(a, b) {
			t.Fatalf("%q and %q do not meet", a, b)
		}
	})
}
