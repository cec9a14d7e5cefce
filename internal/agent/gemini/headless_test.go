package gemini

import "testing"

func TestHeadlessAnswer(t *testing.T) {
	answer := Client{}.Prompt("").Answer
	got, err := answer([]byte("{\n  \"session_id\": \"s\",\n  \"response\": \"yes\",\n  \"stats\": {}\n}\n"))
	if err != nil || got != "yes" {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"", "Loaded.", `{"error":{"type":"Error","message":"no key","code":41}}`} {
		if got, err := answer([]byte(bad)); err == nil {
			t.Errorf("%s: taken as %q", bad, got)
		}
	}
}
