package migrate

import (
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

func one(t *testing.T, name, text string) Thing {
	t.Helper()
	things, refused := adr.Read(name, []byte(text))
	if len(things) != 1 || len(refused) > 0 {
		t.Fatalf("%d things, refused %v", len(things), refused)
	}
	return things[0]
}

func (t Thing) value(name string) string {
	for _, f := range t.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

func TestADRForms(t *testing.T) {
	cases := map[string]struct {
		name, text                string
		title, status, date       string
		context, decision, result string
		deciders                  string
	}{
		"nygard": {
			"doc/adr/0007-use-go.md", "# 7. Use Go\n\nDate: 2021-02-03\n\n## Status\n\nAccepted\n\n## Context\n\nSlow.\n\n## Decision\n\nGo.\n\n## Consequences\n\nFast.\n",
			"Use Go", "Accepted", "2021-02-03", "Slow.", "Go.", "Fast.", "",
		},
		"madr 2": {
			"docs/adr/0001-x.md", "# Use Go\n\n* Status: proposed\n* Deciders: Ada, Bob\n* Date: 2021-02-03\n\nTechnical Story: none\n\n## Context and Problem Statement\n\nSlow.\n\n## Decision Outcome\n\nGo.\n\n### Positive Consequences\n\n* Fast\n\n### Negative Consequences\n\n* New\n",
			"Use Go", "Proposed", "2021-02-03", "Slow.", "Go.", "Positive Consequences: Fast Negative Consequences: New", "Ada, Bob",
		},
		"madr 4": {
			"docs/decisions/0001-x.md", "---\nstatus: \"rejected\"\ndate: 2021-02-03\ndecision-makers: [Ada, Bob]\n---\n\n# Use Go\n\n## Context and Problem Statement\n\nSlow.\n\n## Decision Outcome\n\nGo.\n\n### Consequences\n\n* Good, because fast\n* Bad, because new\n",
			"Use Go", "Retired (rejected)", "2021-02-03", "Slow.", "Go.", "Good, because fast; Bad, because new", "Ada, Bob",
		},
		"log4brains": {
			"docs/adr/20210203-use-go.md", "# Use Go\n\n- Status: superseded by [20220101-x](20220101-x.md)\n\n## Context\n\nSlow.\n\n## Decision\n\nGo.\n",
			"Use Go", "Superseded by [20220101-x](20220101-x.md)", "2021-02-03", "Slow.", "Go.", "", "",
		},
		"plain with a status": {
			"notes/go.md", "# Use Go\n\n**Status**: Accepted\n**Date**: 3 February 2021\n\nWe had a slow program.\n",
			"Use Go", "Accepted", "2021-02-03", "We had a slow program.", "Use Go", "", "",
		},
		"headings in a fence are text": {
			"a/1-x.md", "# X\n\n## Status\n\nAccepted\n\n## Decision\n\n```\n## Consequences\nnone\n```\nStill the decision.\n",
			"X", "Accepted", "", "", "`## Consequences ⏎ none` Still the decision.", "", "",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := one(t, c.name, c.text)
			day := ""
			if !got.Date.IsZero() {
				day = got.Date.Format("2006-01-02")
			}
			for _, pair := range [][3]string{
				{"title", got.Title, c.title},
				{"status", got.Status, c.status},
				{"date", day, c.date},
				{"context", got.value(entry.FieldContext), c.context},
				{"decision", got.value(entry.FieldDecision), c.decision},
				{"consequences", got.value(entry.FieldConsequences), c.result},
				{"deciders", got.value("Deciders"), c.deciders},
			} {
				if pair[1] != pair[2] {
					t.Errorf("%s: %q, want %q", pair[0], pair[1], pair[2])
				}
			}
		})
	}
}

func TestADRRefusals(t *testing.T) {
	cases := map[string]struct {
		text, reason string
		line         int
	}{
		"docs/adr/README.md":       {"# Decisions\n\nHow we decide.\n", "no status and no section", 1},
		"docs/adr/template.md":     {"# 1. Title\n\n## Status\n\nAccepted\n", "template", 1},
		"docs/adr/0000-x.md":       {"\n# [short title]\n\n## Decision\n\n[text]\n", "template", 2},
		"docs/adr/0001-empty.md":   {"", "no title", 1},
		"docs/adr/0002-binary.md":  {"# X\n\n\xff\xfe\n", "UTF-8", 3},
		"docs/adr/0003-matter.md":  {"---\nstatus: x\n", "front matter", 1},
		"docs/adr/0004-hollow.md":  {"# X\n\n## Status\n\nAccepted\n", "nothing else", 1},
		"docs/adr/0005-strange.md": {"# X\n\nStatus: blue\n\nText.\n", "blue", 1},
	}
	for name, c := range cases {
		things, refused := adr.Read(name, []byte(c.text))
		if len(things) != 0 || len(refused) != 1 || !strings.Contains(refused[0].Reason, c.reason) || refused[0].Line != c.line {
			t.Errorf("%s: %v, %v", name, things, refused)
		}
	}
	one(t, "docs/adr/0007-choose-a-template-engine.md", "# 7. Choose a template engine\n\n## Status\n\nAccepted\n\n## Decision\n\nNone.\n")
}

func TestEntryStatus(t *testing.T) {
	for text, want := range map[string]string{
		"Accepted": "Accepted", "**accepted**": "Accepted", "Approved": "Accepted (approved)", "Superceded by [3](3-x.md)": "Superseded by [3](3-x.md)",
		"deprecated by ADR-3": "Deprecated by ADR-3", "Accepted Amended by x": "Accepted (Amended by x)", "Partly superseded": "Accepted (Partly superseded)",
		"draft": "Proposed (draft)",
	} {
		if got, ok := entryStatus(text); !ok || got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got, ok := entryStatus("blue"); ok {
		t.Errorf("blue is no status, got %q", got)
	}
}

func FuzzADR(f *testing.F) {
	f.Add("# 1. T\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n\n## Decision\n\nYes.\n")
	f.Add("---\nstatus: accepted\n---\n# T\n\n## Decision Outcome\n\n```\nx\n")
	f.Fuzz(func(t *testing.T, text string) {
		things, refused := adr.Read("docs/adr/0001-x.md", []byte(text))
		if len(things)+len(refused) != 1 {
			t.Fatalf("%d things and %d refusals of one file", len(things), len(refused))
		}
		for _, r := range refused {
			if r.Line < 1 || r.Reason == "" || r.Line > 1+strings.Count(text, "\n") {
				t.Errorf("a refusal without place or reason: %+v", r)
			}
		}
		checkPlanned(t, things)
	})
}

// checkPlanned holds that what was read can be planned, and reads back as one
// entry or lesson a thing.
func checkPlanned(t *testing.T, things []Thing) {
	t.Helper()
	s := &store.Snapshot{Manifest: &manifest.Manifest{}, Log: &observe.Log{}, Config: config.Default()}
	p, err := NewPlan(s, things, Options{})
	if err != nil {
		t.Fatal(err)
	}
	entries := 0
	for _, c := range p.Changes {
		if strings.HasPrefix(c.Path, skillFolder) || strings.HasPrefix(c.Path, commandFolder) {
			continue
		}
		if strings.HasPrefix(c.Path, ".lessons/") {
			if _, err := lesson.Parse(c.Path, c.After); err != nil {
				t.Error(err)
			}
			continue
		}
		book, problems := entry.ParseBook(c.Path, c.After)
		if len(problems) > 0 {
			t.Errorf("%v in\n%s", problems, c.After)
		}
		for _, e := range book.Entries {
			if e.Source == "" {
				t.Errorf("an entry without its source:\n%s", e.Text)
			}
		}
		entries += len(book.Entries)
	}
	want := 0
	for _, item := range p.Items {
		if item.Outcome == Imported && (item.Kind == knowledge.KindADR || item.Kind == knowledge.KindPF) {
			want++
		}
	}
	if entries != want {
		t.Errorf("%d entries planned, %d read back", want, entries)
	}
}
