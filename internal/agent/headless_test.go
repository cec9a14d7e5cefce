package agent

import "testing"

func TestAnswerOfClaude(t *testing.T) {
	answer := Claude.asking.answer
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

func TestAnswerOfGemini(t *testing.T) {
	answer := Gemini.asking.answer
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

func TestAnswerOfOpenCode(t *testing.T) {
	answer := OpenCode.asking.answer
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
