package migrate

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/lesson"
)

const learnedManifest = `{
  "$schema": "../schemas/manifest.schema.json",
  "type": "lessons-learned-manifest",
  "version": 1,
  "lessons": {
    "01KNH2FRACBQMQWX29GPYE47D8": {
      "slug": "jest-hangs-0a1b",
      "type": "hint",
      "priority": 8,
      "toolNames": ["Bash", "Edit"],
      "commandRegexSources": [{"source": "\\bjest\\b(?!.*--ci)", "flags": ""}],
      "pathRegexSources": [{"source": ".*/[^/]*\\.test\\.js", "flags": "i"}],
      "modelRegexSources": [],
      "tags": ["language:js", "tool:jest"],
      "scope": null,
      "summary": "jest waits for keys",
      "problem": "In watch mode jest waits for keys.",
      "solution": "Run jest --ci."
    },
    "01KNH2FRACBQMQWX29GPYE47D9": {
      "slug": "no-force-0a1c",
      "type": "guard",
      "priority": 10,
      "toolNames": ["Bash"],
      "commandRegexSources": [{"source": "git push --force\\b", "flags": ""}],
      "summary": "force pushes lose commits",
      "problem": "They do.",
      "solution": "Use --force-with-lease."
    },
    "01KNH2FRACBQMQWX29GPYE47DA": {"slug": "x", "priority": []},
    "01KNH2FRACBQMQWX29GPYE47DB": {"slug": "y", "type": "hint", "summary": "", "problem": "", "solution": "z"},
    "01KNH2FRACBQMQWX29GPYE47DC": {"slug": "z", "type": "hint", "toolNames": ["Bash"], "summary": "other", "scope": "Users-ada-elsewhere", "problem": "p", "solution": "s"}
  }
}
`

func TestLessonsLearnedManifest(t *testing.T) {
	things, refused := lessonsLearned.Read("m.json", []byte(learnedManifest))
	if len(things) != 4 || len(refused) != 2 {
		t.Fatalf("%d things, refused %+v", len(things), refused)
	}
	for i, line := range []int{30, 31} {
		if refused[i].Line != line || refused[i].ID == "" {
			t.Errorf("refused %+v, want line %d", refused[i], line)
		}
	}
	commands, files, guard := things[0].Lesson.Triggers, things[1].Lesson.Triggers, things[2].Lesson
	if strings.Join(commands.Tools, " ") != "Bash" || strings.Join(commands.CommandPatterns, " ") != `\bjest\b` || strings.Join(commands.Unless, " ") != `\bjest\b(?:.*--ci)` || len(commands.Paths) > 0 {
		t.Errorf("commands: %+v", commands)
	}
	if strings.Join(files.Tools, " ") != "Edit" || strings.Join(files.Paths, " ") != "**/*.test.js" || len(files.CommandPatterns) > 0 {
		t.Errorf("files: %+v", files)
	}
	if guard.Action != lesson.ActionDeny || guard.Priority != 10 {
		t.Errorf("guard: %+v", guard)
	}
	p := planOf(t, things, nil)
	if p.Count(Imported) != 3 || p.Count(Refused) != 1 || len(p.Untrusted) != 1 || p.Items[2].Status != lesson.Draft {
		t.Errorf("%+v", p.Items)
	}
}

func TestLessonsLearnedForms(t *testing.T) {
	const record = `{"id":"01M7W9","status":"candidate","type":"hint","summary":"s","problem":"p","solution":"f","toolNames":["Bash"],"commandPatterns":["\\bx\\b"],"pathPatterns":[],"priority":7,"confidence":0.8,"createdAt":"2026-04-01T00:00:00Z","updatedAt":"2026-04-02T00:00:00Z","occurrenceCount":3,"sessionCount":2}`
	forms := map[string]string{
		"list":     "[" + record + "]",
		"single":   record,
		"store":    `{"lessons":[{"id":"01M7W9","status":"candidate","summary":"s","problem":"p","solution":"f","triggers":{"toolNames":["Bash"],"commandPatterns":["\\bx\\b"]},"priority":7,"confidence":0.8,"updatedAt":"2026-04-02T00:00:00Z","createdAt":"2026-04-01T00:00:00Z","occurrenceCount":3,"sessionCount":2}]}`,
		"database": `{"tables":{"lessons":[{"id":"01M7W9","status":"candidate","type":"hint","summary":"s","problem":"p","solution":"f","toolNames":"[\"Bash\"]","commandPatterns":"[\"\\\\bx\\\\b\"]","pathPatterns":"[]","priority":7,"confidence":0.8,"createdAt":"2026-04-01T00:00:00Z","updatedAt":"2026-04-02T00:00:00Z","occurrenceCount":3,"sessionCount":2,"scope":null,"requires":null}]}}`,
	}
	first := ""
	for name, text := range forms {
		things, refused := lessonsLearned.Read("x.json", []byte(text))
		if len(things) != 1 || len(refused) != 0 {
			t.Errorf("%s: %d things, %+v", name, len(things), refused)
			continue
		}
		p := planOf(t, things, nil)
		if len(p.Changes) != 1 {
			t.Fatalf("%s: %+v", name, p.Items)
		}
		if text := string(p.Changes[0].After); first == "" {
			first = text
		} else if text != first {
			t.Errorf("%s:\n%s, others\n%s", name, text, first)
		}
	}
	for _, want := range []string{"status: draft", "confidence: 0.8", "priority: high", `command_patterns: ["\\bx\\b"]`, "created: 2026-04-01", "sessions: 2", "last: 2026-04-02", "imported: "} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q in\n%s", want, first)
		}
	}
}

func TestLessonsLearnedIsWholeOrNothing(t *testing.T) {
	for at := 1; at < len(strings.TrimSpace(learnedManifest)); at++ {
		cut := learnedManifest[:at]
		things, refused := lessonsLearned.Read("m.json", []byte(cut))
		if len(things) > 0 || len(refused) != 1 || refused[0].Line < 1 || refused[0].Line > 1+strings.Count(cut, "\n") || refused[0].Reason == "" {
			t.Fatalf("cut at %d: %d things, %+v", at, len(things), refused)
		}
	}
	for _, text := range []string{`[]`, `{}`, `{"lessons":3}`, `[{"url":"x"}]`, `"x"`, `3`, `{"type":"object","properties":{}}`, `{"version":2,"lessons":{"a":{"problem":"x"}}}`} {
		if things, refused := lessonsLearned.Read("m.json", []byte(text)); len(things) > 0 || len(refused) != 1 {
			t.Errorf("%s: %d things, %+v", text, len(things), refused)
		}
	}
}

func FuzzLessonsLearned(f *testing.F) {
	f.Add(learnedManifest)
	f.Add(`[{"id":"a","summary":"s","problem":"p","solution":"x. y","toolNames":["Bash"],"commandPatterns":["(?!x)"]}]`)
	f.Fuzz(func(t *testing.T, text string) {
		things, refused := lessonsLearned.Read("m.json", []byte(text))
		if len(things)+len(refused) == 0 {
			t.Fatal("neither a thing nor a refusal")
		}
		for _, r := range refused {
			if r.Line < 1 || r.Line > 1+strings.Count(text, "\n") || r.Reason == "" {
				t.Errorf("a refusal without place or reason: %+v", r)
			}
		}
		checkPlanned(t, things)
	})
}

// A lesson that no call, keyword or session start would bring is a draft: check would refuse
// it as an active one.
func TestLessonThatNothingBringsIsADraft(t *testing.T) {
	things, _ := lessonsLearned.Read("m.json", []byte(`{"type": "lessons-learned-manifest", "lessons": {
		"01KNH2FRACBQMQWX29GPYE47D8": {"slug": "a-0a1b", "type": "hint", "priority": 5, "summary": "Long chats drift", "problem": "They do.", "solution": "Begin a new one for each task."},
		"01KNH2FRACBQMQWX29GPYE47D9": {"slug": "b-0a1b", "type": "hint", "priority": 10, "summary": "Ask before you drop a table", "problem": "It is gone.", "solution": "Ask a person first."}
	}}`))
	plan := planOf(t, things, nil)
	var got []string
	for _, item := range plan.Items {
		got = append(got, item.Status)
	}
	if strings.Join(got, " ") != lesson.Draft+" "+lesson.Active {
		t.Errorf("the statuses are %v, of %d things", got, len(things))
	}
}
