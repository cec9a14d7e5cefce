package transcript

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A call ends the same whether its text is read or not, where it need not be.
func TestResultsAreJudgedWithoutTheirTexts(t *testing.T) {
	starts := []string{"", " ", "  ", "Exit code 1", "Exit code 0\n", "Error: Exit code 2\nx", "Error: x", "<tool_use_error>Exit code 3</tool_use_error>", "Command running in background with ID: x", "Permission to use", "     1\tx", "\n", "\u00a0", "\u2028Exit code 1", "Command timed out after", "ok"}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(starts).Draw(t, "start") + rapid.SampledFrom(append(starts, "E", "")).Draw(t, "rest")
		extras := []string{``, `{}`, `{"interrupted":true}`, `{"interrupted":false,"stderr":"timed out after"}`, `{"backgroundTaskId":"b"}`, `{"returnCodeInterpretation":"none"}`, `"Error: x"`, `"\u0045rror: x"`, `"x"`}
		r := Result{
			Tool:    rapid.SampledFrom([]string{"Bash", "Read", ""}).Draw(t, "tool"),
			Command: rapid.SampledFrom([]string{"", "make", "make | tail"}).Draw(t, "command"),
			IsError: rapid.Bool().Draw(t, "error"),
			Denial:  rapid.SampledFrom([]string{"", "", "hook"}).Draw(t, "denial"),
			Extra:   json.RawMessage(rapid.SampledFrom(extras).Draw(t, "extra")),
			Version: rapid.SampledFrom([]string{"1.0.44", "2.1.3"}).Draw(t, "version"),
		}
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		outcome, exit := r.Judge()
		without := r.endsWithout(raw[1:len(raw)-1], r.extra(nil))
		r.Text = text
		if want, status := r.Judge(); without && (outcome != want || exit != status) {
			t.Fatalf("%+v: %s %d without the text, %s %d with it", r, outcome, exit, want, status)
		}
	})
}

// Options.Texts leaves texts out and nothing else.
func TestTextsThatNobodyReads(t *testing.T) {
	files, err := filepath.Glob("testdata/claude/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no recorded sessions", err)
	}
	without := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		unread := func(tool string, outcome Outcome) bool { return tool != "Read" || outcome != OK }
		want, _ := read(t, string(data), Options{})
		got, _ := read(t, string(data), Options{Texts: unread})
		for i, e := range got {
			if e.Kind == ToolResult && !unread(e.Tool, e.Outcome) {
				without++
				want[i].Text = e.Text
				if strings.TrimSpace(e.Text) != "" {
					t.Errorf("%s: the text of %+v was read", name, e)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if without == 0 {
		t.Error("no result of that kind")
	}
}

// Options.ByCalls leaves ids of calls and results out, but for the first event, and
// nothing else.
func TestIDsThatNobodyReads(t *testing.T) {
	for name, data := range recordedByClaude(t) {
		want, _ := read(t, string(data), Options{})
		got, _ := read(t, string(data), Options{ByCalls: true})
		for i := range want {
			if i > 0 && want[i].ToolUse != "" {
				want[i].ID, got[i].ID = "", ""
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// The only text of a result is not looked for a second time, and is the same.
func TestWordsOfOneText(t *testing.T) {
	pieces := []string{`{"type":"text","text":"a\nb"}`, `{"text":"\u00e9"}`, `{"type":"text","text":""}`, `{"type":"image","source":{"text":"x"}}`, `"a"`, `{"text":"a","text":"b"}`, `{"text":7}`, `{"text":"a`}
	contents := []string{``, `"a"`, `"\"a\\"`, `null`, `{"text":"a"}`, `7`, `"a`}
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SampledFrom(contents).Draw(t, "content")
		if rapid.Bool().Draw(t, "list") {
			content = "[" + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 3).Draw(t, "pieces"), ",") + "]"
		}
		var b block
		b.read(&cursor{b: []byte(`{"tool_use_id":"t","type":"tool_result","content":` + content + `}`)})
		if got, want := b.words(), contentText(&cursor{b: b.content}); got != want {
			t.Fatalf("%s: %q, want %q", content, got, want)
		}
	})
}
