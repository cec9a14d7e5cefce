package learn

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lessons-cli/lessons/knowledge/calls"
)

// session is a transcript: a request, a call that fails, chatter, one that works, an
// objection, and what followed.
func session(chatter int) string {
	var out strings.Builder
	second := 0
	line := func(kind, content string) {
		second++
		fmt.Fprintf(&out, `{"type":%q,"uuid":"u%d","sessionId":"s","cwd":"/r","timestamp":"2026-11-01T10:%02d:%02d.250Z","message":{"role":%q,"content":%s}}`+"\n", kind, second, second/60, second%60, kind, content)
	}
	call := func(id, command, result string, failed bool) {
		line("assistant", fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":%q}}]`, id, command))
		line("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"is_error":%v,"content":%q}]`, id, failed, result))
	}
	line("user", `"Deploy it with the key ghp_`+strings.Repeat("a1B2c3D4e5", 4)[:36]+`."`)
	call("c1", "deploy staging", "Exit code 2\nunknown target: staging", true)
	for i := range chatter {
		line("assistant", fmt.Sprintf(`[{"type":"text","text":"Thinking, part %d. %s"}]`, i, strings.Repeat("so ", 60)))
	}
	call("c2", "deploy --target staging", strings.Repeat("ok\n", 500), false)
	line("user", `"No, never deploy on a Friday."`)
	line("assistant", `[{"type":"text","text":"Understood, I roll it back."}]`)
	call("c3", "deploy --rollback", "done", false)
	return out.String()
}

func at(second int) time.Time {
	return time.Date(2026, 11, 1, 10, second/60, second%60, 250e6, time.UTC)
}

func told(t *testing.T, x Excerpt, quotes ...string) string {
	t.Helper()
	var lines []string
	size := 0
	for _, line := range x.tell(maxExcerpt, quotes, redactor) {
		lines = append(lines, line.String())
		size += len(line.String())
	}
	if size > maxExcerpt {
		t.Errorf("%d bytes", size)
	}
	return strings.Join(lines, "\n")
}

func TestAnExcerptHoldsWhatIsNeededToJudge(t *testing.T) {
	for _, chatter := range []int{0, 3, 40, 300} {
		text := session(chatter)
		objection := 6 + chatter
		x, err := Around("/x/s.jsonl", strings.NewReader(text), at(objection))
		if err != nil {
			t.Fatal(err)
		}
		got := told(t, x, "unknown target: staging")
		want := []string{"call: Bash: deploy --target staging\nresult: ok ok", "person: No, never deploy on a Friday.", "agent: Understood", "call: Bash: deploy --rollback\nresult: done"}
		if chatter < stepsBefore {
			want = append(want, "person: Deploy it with the key", "call: Bash: deploy staging\nfailed: Exit code 2 unknown target: staging")
		}
		last := -1
		for _, w := range want[:4] {
			if i := strings.Index(got, w); i < last || i < 0 {
				t.Errorf("chatter %d: %q is not there or out of order in\n%s", chatter, w, got)
			} else {
				last = i
			}
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("chatter %d: no %q in\n%s", chatter, w, got)
			}
		}
		if strings.Contains(got, "ghp_a1") {
			t.Error("a key leaves the machine")
		}
	}
}

func TestASessionWithoutTheMomentHasNoExcerpt(t *testing.T) {
	for _, text := range []string{session(2), "", "no JSON\n", session(2)[:300]} {
		if x, _ := Around("/x/s.jsonl", strings.NewReader(text), at(3000)); len(x.Steps) > 0 {
			t.Errorf("%+v", x)
		}
	}
}

func TestALongTextShowsItsQuote(t *testing.T) {
	long := strings.Repeat("word ", 300) + "error: the needle" + strings.Repeat(" word", 300)
	x := Excerpt{Steps: []Step{{Who: "call", Text: "Bash: x", Ended: "failed", Said: long}}}
	if got := told(t, x, "error: the needle…"); !strings.Contains(got, "error: the needle") || len(got) > 600 {
		t.Errorf("%s", got)
	}
	if got := told(t, x); strings.Contains(got, "needle") || !strings.HasSuffix(got, "word") {
		t.Errorf("%s", got)
	}
}

func TestWhereTheTranscriptIsGoneTheCallLogTells(t *testing.T) {
	s := &calls.Session{Name: "a"}
	for i := range 60 {
		c := calls.Call{ID: fmt.Sprint(i), At: at(i).UnixMilli(), Tool: "Bash", Input: fmt.Sprintf("step %d", i), Outcome: calls.OK}
		if i == 30 {
			c.Outcome, c.Failure = calls.Failed, &calls.Failure{Line: "unknown target"}
		}
		s.Calls = append(s.Calls, c)
	}
	got := told(t, Logged(s, at(31)))
	for _, w := range []string{"call: Bash: step 30\nfailed: unknown target", "call: Bash: step 31\nresult: ok", "step 40"} {
		if !strings.Contains(got, w) {
			t.Errorf("no %q in\n%s", w, got)
		}
	}
	if !s.Spans(at(0)) || s.Spans(at(5000)) || (&calls.Session{}).Spans(at(0)) {
		t.Error("what the session spans")
	}
}
