package scan

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/ask"
)

// given is a session that was given the protocol as Claude Code stores it.
func given(name string, s story) File {
	context, _ := json.Marshal(map[string]any{
		"type": "attachment", "uuid": name + "-p", "sessionId": name, "timestamp": "2026-03-01T11:00:00Z",
		"attachment": map[string]any{"type": "hook_additional_context", "content": []string{Protocol}},
	})
	body := claudeFile(name, s.events())
	return memory("/s/"+name+".jsonl", bytes.Join([][]byte{bytes.ReplaceAll(body, []byte(`"uuid":"m`), []byte(`"uuid":"`+name)), context, {'\n'}}, nil))
}

func reporting(mistake string) func(*teller) {
	return says("#lesson\ntool: Bash\ntrigger: gh pr diff --stat\nmistake: " + mistake + "\nfix: leave it out\ntags: tool:gh\n#/lesson")
}

func wrongFlag(program string) story {
	return story{bash(program+" --stat", fail, "Exit code 1\nunknown flag: --stat"), bash(program+" --name-only", ok, "a.go")}
}

func chat(n int) story {
	var s story
	for i := range n {
		s = append(s, user(fmt.Sprint("and what about number ", i)), says("That one is fine."))
	}
	return s
}

func measured(t *testing.T, files ...File) Compliance {
	t.Helper()
	c, problems, err := MeasureCompliance(context.Background(), Input{Files: files, Redactor: testRedactor})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return c
}

func TestComplianceOfOneSession(t *testing.T) {
	join := func(parts ...story) story {
		var s story
		for _, p := range parts {
			s = append(s, p...)
		}
		return s
	}
	for _, c := range []struct {
		name                        string
		s                           story
		tags, malformed, unreported int
		rate                        int
	}{
		{"nothing happened", chat(3), 0, 0, 0, -1},
		{"a mistake and its report", join(wrongFlag("gh pr diff"), story{reporting("it has no --stat")}), 1, 0, 0, 100},
		{"a mistake without a report", wrongFlag("gh pr diff"), 0, 0, 1, 0},
		{"a report of what no heuristic saw", story{reporting("the cache was stale")}, 1, 0, 0, 100},
		{"a report before the mistake is of another one", join(story{reporting("x y")}, chat(4), wrongFlag("gh pr diff")), 1, 0, 1, 50},
		{"a report far behind is of another one", join(wrongFlag("gh pr diff"), chat(reportLines), story{reporting("x y")}), 1, 0, 1, 50},
		{"two mistakes, one report", join(wrongFlag("gh pr diff"), chat(6), wrongFlag("gh issue list"), story{reporting("no --stat")}), 1, 0, 1, 50},
		{"a malformed report", join(wrongFlag("gh pr diff"), story{says("#lesson\nmistake: it has no --stat\n#/lesson")}), 0, 1, 1, 0},
		{"a report that was taken back", join(wrongFlag("gh pr diff"), story{reporting("it has no --stat"), says("#lesson:cancel\nmistake: it has no\n#/lesson:cancel")}), 0, 0, 1, 0},
		{"the normal course of work", story{
			bash("go test ./...", fail, "--- FAIL: TestX (0.00s)\nFAIL"), edit("/home/dev/app/a.go", "a", "b"), bash("go test ./...", ok, "ok"),
		}, 0, 0, 0, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := measured(t, given("s1", c.s))
			if len(got.Sessions) != 1 {
				t.Fatalf("%d sessions", len(got.Sessions))
			}
			s := got.Sessions[0]
			if s.Tags != c.tags || s.Malformed != c.malformed || s.Unreported != c.unreported || s.Rate != c.rate {
				t.Errorf("got %+v", s)
			}
			if got.Rate != c.rate || got.N != c.tags+c.unreported {
				t.Errorf("in all %+v", got)
			}
		})
	}
}

func TestComplianceBands(t *testing.T) {
	session := func(name string, reported bool) File {
		s := wrongFlag("gh pr diff")
		if reported {
			s = append(s, reporting("no --stat"))
		}
		return given(name, s)
	}
	for _, c := range []struct {
		of, reported, rate int
		band               string
	}{{0, 0, -1, ""}, {10, 8, 80, "tags"}, {10, 7, 70, "both"}, {10, 4, 40, "both"}, {10, 3, 30, "heuristics"}, {3, 2, 67, "both"}, {1, 0, 0, "heuristics"}} {
		var files []File
		for i := range c.of {
			files = append(files, session(fmt.Sprintf("s%02d", i), i < c.reported))
		}
		if got := measured(t, files...); got.Rate != c.rate || got.Band != c.band || got.N != c.of {
			t.Errorf("%d of %d: rate %d, n %d, band %q", c.reported, c.of, got.Rate, got.N, got.Band)
		}
	}
}

func TestComplianceCountsCopiesOnceAndOnlyWhoWasAsked(t *testing.T) {
	first := given("s1", append(wrongFlag("gh pr diff"), reporting("no --stat")))
	copied := first
	copied.Path = "/copy/s1.jsonl"
	silent := memory("/s/old.jsonl", bytes.ReplaceAll(claudeFile("old", wrongFlag("gh pr diff").events()), []byte(`"uuid":"m`), []byte(`"uuid":"o`)))
	got := measured(t, first, copied, silent)
	if got.NotAsked != 1 || len(got.Sessions) != 1 || got.Tags != 1 || got.N != 1 || len(got.Sessions[0].Files) != 2 {
		t.Errorf("got %+v", got)
	}
}

// askLine is what a hook asked, as Claude Code stores it.
func askLine(session, name string, minute int) string {
	return fmt.Sprintf(`{"type":"attachment","uuid":"%s-%s","sessionId":"%s","timestamp":"2026-03-01T13:%02d:00Z","attachment":{"type":"hook_additional_context","content":["[lessons] ask %s: x"]}}`, session, name, session, minute, name) + "\n"
}

func replies(session, text string, minute int) string {
	content, _ := json.Marshal(text)
	return fmt.Sprintf(`{"type":"assistant","uuid":"%s-a%d","sessionId":"%s","timestamp":"2026-03-01T13:%02d:30Z","message":{"role":"assistant","content":[{"type":"text","text":%s}]}}`, session, minute, session, minute, content) + "\n"
}

func TestComplianceCountsAnswers(t *testing.T) {
	const lesson = "Right.\n\n#lesson\ntool: Bash\nmistake: a\n#/lesson"
	for name, c := range map[string]struct {
		text string
		want ask.Count
	}{
		"ignored":                     {askLine("s", "00000001", 1) + replies("s", "Done.", 2), ask.Count{Asked: 1, Ignored: 1}},
		"a lesson, though incomplete": {askLine("s", "00000001", 1) + replies("s", lesson, 2), ask.Count{Asked: 1, Block: 1}},
		"a decision":                  {askLine("s", "00000001", 1) + replies("s", "#decision\ndecision: a\n#/decision", 2), ask.Count{Asked: 1, Block: 1}},
		"none, in backticks":          {askLine("s", "00000001", 1) + replies("s", "Done.\n`#lesson:none`", 2), ask.Count{Asked: 1, None: 1}},
		"none, with a reason":         {askLine("s", "00000001", 1) + replies("s", "#lesson:none only this file", 2), ask.Count{Asked: 1, None: 1}},
		"spoken of only":              {askLine("s", "00000001", 1) + replies("s", "I could write a #lesson or #lesson:none here.\n#lesson is a tag", 2), ask.Count{Asked: 1, Ignored: 1}},
		"the first is ignored":        {askLine("s", "00000001", 1) + askLine("s", "00000002", 2) + replies("s", "#lesson:none", 3), ask.Count{Asked: 2, None: 1, Ignored: 1}},
		"nobody asked":                {replies("s", lesson, 2), ask.Count{}},
	} {
		if got := measured(t, memory("/s/s.jsonl", []byte(c.text))); got.Asks != c.want {
			t.Errorf("%s: %+v, want %+v", name, got.Asks, c.want)
		}
	}
}
