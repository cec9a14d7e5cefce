package transcript

import (
	"fmt"
	"strings"
	"testing"
)

// What our hooks ask is found wherever an agent keeps it, and nothing else is taken for
// it.
func TestAsked(t *testing.T) {
	const ask = "[lessons] ask 12ab34ef: The user may have stated a rule or a decision."
	for name, c := range map[string]struct{ file, text, want string }{
		"Claude Code": {"x.jsonl", fmt.Sprintf(`{"type":"attachment","uuid":"p1","sessionId":"s","timestamp":"2026-03-01T11:00:00Z","attachment":{"type":"hook_additional_context","content":[%q]}}`, ask), "12ab34ef"},
		"Codex": {"rollout-x.jsonl", `{"timestamp":"2026-03-01T11:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/r","originator":"codex_cli","cli_version":"1"}}` + "\n" +
			fmt.Sprintf(`{"timestamp":"2026-03-01T11:00:01Z","type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":%q}]}}`, ask), "12ab34ef"},
		"Gemini":            {"x.jsonl", chatLines(chat(fmt.Sprintf(`"type":"user","content":[{"text":"<hook_context>%s</hook_context>\n\nuse pnpm"}]`, ask))...), "12ab34ef"},
		"Gemini, as one":    {"x.json", chatObject(chat(fmt.Sprintf(`"type":"user","content":[{"text":"<hook_context>%s</hook_context>\n\nuse pnpm"}]`, ask))...), "12ab34ef"},
		"two":               {"x.jsonl", `{"type":"attachment","uuid":"p1","sessionId":"s","x":"[lessons] ask 00000001: a [lessons] ask 00000002: b"}`, "00000001 00000002"},
		"no name":           {"x.jsonl", `{"type":"attachment","uuid":"p1","sessionId":"s","x":"[lessons] ask somebody: a"}`, ""},
		"cut off":           {"x.jsonl", `{"type":"attachment","uuid":"p1","sessionId":"s","x":"[lessons] ask 0000"}`, ""},
		"what hooks tell":   {"x.jsonl", `{"type":"attachment","uuid":"p1","sessionId":"s","x":"[lessons] 1 for Bash"}`, ""},
		"a name and a half": {"x.jsonl", `{"type":"attachment","uuid":"p1","sessionId":"s","x":"[lessons] ask 000000001: a"}`, ""},
	} {
		l, err := Identify(c.file, []byte(c.text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got []string
		if _, err := l.Read(strings.NewReader(c.text), Options{Whole: true}, func(e Event) error {
			if e.Kind == Asked {
				got = append(got, e.Text)
			}
			return nil
		}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: asked %q, want %q", name, got, c.want)
		}
	}
}
