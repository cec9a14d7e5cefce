package claude

import "testing"

func TestHeadlessAnswer(t *testing.T) {
	answer := Client{}.Prompt("").Answer
	got, err := answer([]byte(`{"type":"result","subtype":"success","is_error":false,"result":"{\"items\":[]}","total_cost_usd":0.1}` + "\n"))
	if err != nil || got != `{"items":[]}` {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{
		"", "Invalid API key", `{"type":"system"}`,
		`{"type":"result","subtype":"success","is_error":true,"result":"Credit balance is too low"}`,
		`{"type":"result","subtype":"error_max_turns","is_error":false}`,
	} {
		if got, err := answer([]byte(bad)); err == nil {
			t.Errorf("%s: taken as %q", bad, got)
		}
	}
}
