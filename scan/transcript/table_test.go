package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/agent/tools"
)

// notes is an agent that nobody has: what a seventh one costs.
type notes struct{ *reader }

var notesLines = table[*notes]{
	common: shaped(at{fKind: "kind", fTime: "at", fID: "no", fSession: "of.session", fCwd: "of.folder"}),
	kinds: map[string]kind[*notes]{
		"asked": {func(n *notes, o *object) { n.wrote(o[fText].text()) }, shaped(at{fText: "words"})},
		"said":  {func(n *notes, o *object) { n.says(o[fText].text()) }, shaped(at{fText: "words"})},
		"ran":   {(*notes).ran, shaped(at{fCall: "no", fInput: "with", fOutput: "gave.text", fExit: "gave.status"})},
		"heard": {},
	},
}

func (n *notes) object(v value, o *object) {
	n.time, n.id = o[fTime].stamp(), o[fID].text()
	n.about(o[fSession].text(), "", o[fCwd].text(), "", "")
	if !notesLines.step(n, v, o) {
		n.stats.Unknown++
	}
}

func (n *notes) ran(o *object) {
	n.called(o[fCall].text(), "run", o[fInput])
	n.result(o[fCall].text(), ended{text: o[fOutput].text(), exit: exitOf(o)})
}

func TestASeventhAgentIsATable(t *testing.T) {
	text := `{"kind":"asked","no":"1","at":"2026-01-02T03:04:05Z","of":{"session":"s","folder":"/r"},"words":"build it"}
{"kind":"heard","no":"2","of":{"session":"s"}}
{"kind":"ran","no":"3","of":{"session":"s"},"with":{"cmd":"grep x y"},"gave":{"text":"","status":1}}
{"kind":"new","of":7}
{"kind":"said","no":"4","of":{"session":"s"},"words":"Nothing there."}
`
	var got []Event
	r := newReader(&format{tools: tools.Names{"run": "Bash"}}, Options{}, func(e Event) error { got = append(got, e); return nil })
	if err := r.lines(strings.NewReader(text), lineForm{common: notesLines.common, step: (&notes{r}).object}); err != nil {
		t.Fatal(err)
	}
	want := `1 user "build it"
3 tool-call Bash "{\"command\":\"grep x y\"}"
3 tool-result Bash expected exit 1
5 assistant "Nothing there."
`
	if show(got) != want || r.stats.Unknown != 1 || r.stats.Meta.Session != "s" || got[0].Cwd != "/r" || got[0].Time.IsZero() {
		t.Errorf("%s%+v", show(got), r.stats)
	}
}

// Values that lie at any depth cost neither stack nor time, wherever they stand.
func TestDeepValuesAreNoTexts(t *testing.T) {
	deep := strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20)
	object := strings.Repeat(`{"a":`, 1<<18) + "1" + strings.Repeat("}", 1<<18)
	for _, value := range []string{deep, object} {
		for name, text := range map[string]string{
			"claude.jsonl":    line("user", "u", value) + "\n" + line("assistant", "a", `[{"type":"tool_use","id":"t","name":"Bash","input":`+value+`}]`) + "\n",
			"rollout-a.jsonl": rollout("response_item", fmt.Sprintf(`{"type":"message","role":"user","content":%s}`, value), "response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"1","output":%s}`, value)),
			"gemini.json":     chatObject(fmt.Sprintf(`{"type":"gemini","content":%s,"toolCalls":[{"result":%s}]}`, value, value)),
			"gemini.jsonl":    chatLines(fmt.Sprintf(`{"type":"user","id":"1","content":%s}`, value)),
			"opencode.json":   exportOf("", `"assistant"`, toolPart("bash", fmt.Sprintf(`{"status":"completed","input":%s,"output":%s}`, value, value))),
			"events.jsonl":    events("user.message", fmt.Sprintf(`{"content":%s}`, value), started, startOf("1", "bash", value)),
		} {
			got, _ := readAs(t, name, text, Options{MaxLine: 16 << 20})
			for _, e := range got {
				if e.Text != "" {
					t.Errorf("%s: %q", name, e.Text)
				}
			}
		}
	}
}
