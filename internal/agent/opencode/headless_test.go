package opencode

import "testing"

func TestHeadlessAnswer(t *testing.T) {
	answer := Client{}.Prompt("").Answer
	got, err := answer([]byte(`{"type":"step_start","part":{"type":"step-start"}}
a notice
{"type":"text","part":{"type":"text","text":"yes"}}
{"type":"step_finish","part":{"reason":"stop"}}
`))
	if err != nil || got != "yes" {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"", `{"type":"step_start"}`, `{"type":"error","error":{"name":"ProviderAuthError"}}`} {
		if got, err := answer([]byte(bad)); err == nil {
			t.Errorf("%s: taken as %q", bad, got)
		}
	}
}
