package migrate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/manifest"
	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/knowledge/store"
)

// sample is a small file of a format, and what has to come of it: titles with
// kind, and status where a lesson has one that is not active.
type sample struct {
	format, name, text string
	things             []string
	refused            []string // line: reason begins
}

var samples = []sample{
	{"devflow", ".devflow/learning/decisions.md", devflowBook, []string{"adr Use Result types|Accepted", "adr Ship on Fridays|Superseded by ADR-001"}, nil},
	{"devflow", ".devflow/learning/pitfalls.md", "# Known Pitfalls\n\n## PF-004: Locks go stale\n\n- **Area**: lock.go\n- **Issue**: nobody removes them\n- **Status**: Active\n", []string{"pf Locks go stale|Active"}, nil},
	{"devflow", ".devflow/learning/decisions-ledger.jsonl", devflowLedger, []string{"adr Use Result types|Accepted", "pf Locks go stale|Retired", "adr Squash merges|Accepted"}, []string{"4: its id does not begin"}},
	{
		"devflow", "old/learning-log.jsonl",
		`{"id":"obs_1","type":"workflow","pattern":"release","details":"bump; tag","observations":2,"status":"observing","first_seen":"2026-01-02T00:00:00Z"}` + "\n" +
			`{"id":"obs_2","type":"decision","pattern":"Use cents","details":"context: money; decision: cents; rationale: exact","status":"created","artifact_path":"/x/.memory/knowledge/decisions.md#ADR-007"}` + "\n" +
			`{"id":"obs_3","type":"pitfall","pattern":"gone","status":"deprecated"}` + "\n",
		[]string{" release|", "adr Use cents|Accepted"},
		[]string{"3: devflow had put it away"},
	},
	{"devflow", ".memory/knowledge/decisions.md", devflowBook, nil, []string{"1: it is this repository's own"}},
	{"triads", ".claude/graphs/deployment_graph.json", triadsGraph, []string{"lesson Bump all versions|active", "lesson Old way|archived", "lesson Everywhere|draft", "adr One store|Accepted"}, []string{"7: it is no process knowledge"}},
	{"triads", ".claude/graphs/notes.md", "# Notes\n", nil, []string{"1: it is a document"}},
	{"gitmem", "scars.json", `[{"id":"s1","learning_type":"scar","title":"Merged is not deployed","description":"It was merged, and nobody looked.","severity":"critical","counter_arguments":["The pipeline does it"],"keywords":["Deploy"],"domain":["operations"]},` + "\n" + `{"id":"s2","title":"empty"}]`, []string{"lesson Merged is not deployed|draft"}, []string{"2: it has a title and nothing else"}},
	{"instinct", "instincts/a.md", "---\nid: short-functions\ntrigger: \"when writing functions\"\nconfidence: 0.8\ndomain: code-style\n---\n\n# Short functions\n\n## Action\nFit them on a screen.\n\n## Evidence\n- seen 5 times\n", []string{"lesson Short functions|draft"}, nil},
	{"instinct", "export.yaml", "# Instincts Export\n\n---\nid: one\ntrigger: \"x\"\nconfidence: 0.8\n---\n\n# One\n\n## Action\nDo one.\n\n---\nid: two\ntrigger: \"y\"\nconfidence: 80\n---\n\nDo two.\n\n---\nid: three\ntrigger: \"z\"\nconfidence: 1\n---\n\n# Three\n", []string{"lesson One|draft", "lesson two|draft"}, []string{"22: it has no section"}},
	{"hookify", ".claude/hookify.no-force.local.md", "---\nname: no-force\nenabled: true\nevent: bash\npattern: git\\s+push\\s+.*--force(?!-with-lease)\naction: block\n---\n\n# Do not force\n\nUse --force-with-lease.\n", []string{"lesson Do not force|draft"}, nil},
	{"hookify", ".claude/hookify.stop.local.md", "---\nname: tests\nenabled: true\nevent: stop\npattern: .*\n---\nRun the tests.\n", nil, []string{"4: rules about the event"}},
	{"hookify", ".claude/hookify.env.local.md", "---\nname: env\nenabled: false\nevent: file\nconditions:\n  - field: file_path\n    operator: ends_with\n    pattern: .env\n  - field: new_text\n    operator: contains\n    pattern: TOKEN=\n---\nNo tokens.\n", []string{"lesson env|archived"}, nil},
	{"solution", "docs/solutions/a.md", "---\ntitle: \"Resolve it by running it\"\ndate: 2026-07-24\nproblem_type: convention\nseverity: high\ntags: [x, y]\n---\n\n# Resolve it\n\n## Context\n\nIt was missing.\n\n## Guidance\n\nRun it.\n\n## Examples\n\nnone\n", []string{"adr Resolve it by running it|Accepted"}, nil},
	{"solution", "docs/solutions/b.md", "---\nproblem_type: build_error\nmodule: m\n---\n# It broke\n\n## Problem\n\nRed.\n\n## Solution\n\nGreen.\n", []string{"pf It broke|Active"}, nil},
	{"solution", "docs/solutions/c.md", "# An essay\n\nWords.\n", nil, []string{"1: it has neither a problem nor guidance"}},
	{"learnings", ".learnings/2026-02-10-pnpm.md", "# Use pnpm\n\n**Date:** 2026-02-10\n\n## Original Prompt\n\n> install\n\n## What I Learned\n\n- npm writes a second lock file\n\n## What Would Have Helped\n\n- Looking\n\n## Key Files\n\n- `pnpm-lock.yaml`\n", []string{"pf Use pnpm|Active"}, nil},
	{"learnings", ".learnings/x.md", "# Nothing\n\nhere\n", nil, []string{"1: it has no section"}},
	{"instructions", "AGENTS.md", "# Shop\n\nA web shop.\n\n## Rules\n\n- Use pnpm, not npm.\n- Never edit `gen/`.\n", []string{"lesson Use pnpm, not npm|draft", "lesson Never edit `gen/`|draft"}, nil},
	{"instructions", ".cursor/rules/ts.mdc", "---\nglobs: *.ts\n---\nUse named exports.\n", []string{"lesson Use named exports|draft"}, nil},
	{"memories", "memory/feedback_mocks.md", "---\nname: no-mocks\ntype: feedback\n---\n\nDon't mock the database.\n\n**Why:** mocks hid a fault.\n", []string{"lesson Don't mock the database|draft"}, nil},
	{"skill", "skills/tdd/SKILL.md", "---\nname: tdd\ndescription: Tests: first\n---\n\n# Tests first\n\nWrite one.\n", []string{"skill Tests first|"}, nil},
	{"skill", "skills/x/SKILL.md", "---\nname: tdd\n", nil, []string{"1: its front matter is not closed"}},
	{"command", "commands/ship.md", "Ship it.\n", []string{"command ship|"}, nil},
	{"command", "agents/reviewer.md", "---\nname: r\n---\nYou review.\n", nil, []string{"1: it describes a sub-agent"}},
	{"github-reviews", "comments.json", `[{"id":7,"pull_request_review_id":1,"html_url":"https://github.com/o/r/pull/1#discussion_r7","user":{"login":"ann"},"author_association":"MEMBER","body":"We never log request bodies here."},` + "\n" + `{"id":8,"user":{"login":"ann"},"author_association":"MEMBER","body":"We never use eval here."},{"id":9,"user":{"login":"ann"},"author_association":"MEMBER","body":"Nice!"}]`, []string{"lesson We never log request bodies here|draft"}, []string{"0: it has no link"}},
	{"agent-memory", "memory.db", agentMemoryRows, []string{"adr One database|Accepted", "lesson Port|draft", "lesson Old|archived", "lesson No any|draft", "lesson Timeouts|draft", " Bash fails: exit status 2|"}, []string{"0: 1 calls that went well"}},
}

const devflowBook = `<!-- TL;DR: 2 decisions. Key: ADR-001, ADR-003 -->
# Architectural Decisions

Append-only. Status changes allowed; deletions prohibited.

## ADR-001: Use Result types

- **Date**: 2026-01-02
- **Status**: Accepted
- **Context**: exceptions were missed
- **Decision**: return a Result
- **Consequences**: callers see it
- **Source**: self-learning:obs_aa1

## ADR-003: Ship on Fridays

- **Status**: Superseded by ADR-001
- **Decision**: ship
`

const devflowLedger = `{"id":"obs_aa1","type":"decision","pattern":"Use Result types","details":"context: exceptions; decision: Result","anchor_id":"ADR-001","decisions_status":"Accepted","date":"2026-01-02"}
{"id":"obs_pf4","type":"pitfall","pattern":"Locks go stale","details":"area: lock.go; issue: nobody removes them","anchor_id":"PF-004","decisions_status":"Retired"}
{"id":"obs_m1","type":"decision","pattern":"obs_old — Squash merges","anchor_id":"ADR-005","decisions_status":"Accepted","raw_body":"\n## ADR-005: obs_old — Squash merges\n\n**Date**: 2026-05-27\n**Status**: Accepted\n\n### Context\n\nHistory.\n\n### Decision\n\n1. Squash.\n2. Merge.\n\n---\n"}
{"id":"x","type":"decision"}
`

const triadsGraph = `{"directed":true,"nodes":[
 {"id":"a","type":"Concept","label":"Bump all versions","description":"One was missed","confidence":1.0,"created_by":"x","created_at":"2025-10-17T00:00:00.000000","process_type":"checklist","priority":"CRITICAL",
  "trigger_conditions":{"tool_names":["Edit"],"file_patterns":["**/plugin.json"],"action_keywords":["Bump"],"context_keywords":[]},
  "checklist":{"title":"t","items":["plugin.json",{"item":"CHANGELOG.md"}]}},
 {"id":"b","type":"Concept","label":"Old way","deprecated":true,"process_type":"pattern","trigger_conditions":{"file_patterns":["*.py"]},"pattern":{"when":"Writing","then":"do"}},
 {"id":"c","type":"Concept","label":"Everywhere","confidence":0.9,"process_type":"warning","trigger_conditions":{"tool_names":["*"],"file_patterns":["**/*"]},"warning":{"risk":"r","mitigation":"m"}},
 {"id":"d","type":"Entity","label":"A thing"},
 {"id":"e","type":"Decision","label":"One store","description":"We keep one store","evidence":["a","b"]}
]}`

const agentMemoryRows = `{"tables":{
"knowledge":[{"id":"k1","scope_type":"project","title":"One database","category":"decision","current_version_id":"kv1","is_active":1,"created_at":"2026-01-02 03:04:05"},{"id":"k2","scope_type":"global","title":"Port","category":"fact","is_active":1},{"id":"k3","scope_type":"global","title":"Old","category":"fact","is_active":0}],
"knowledge_versions":[{"id":"kv0","knowledge_id":"k1","version_num":2,"content":"later"},{"id":"kv1","knowledge_id":"k1","version_num":1,"content":"There is one database","confidence":0.9},{"id":"kv2","knowledge_id":"k2","version_num":1,"content":"It listens on 8080"},{"id":"kv3","knowledge_id":"k3","version_num":1,"content":"It was so"}],
"guidelines":[{"id":"g1","scope_type":"org","name":"No any","priority":80,"is_active":1}],
"guideline_versions":[{"id":"gv1","guideline_id":"g1","version_num":1,"content":"Name the type","rationale":"any hides faults","verification_rules":"{\"filePatterns\":[\"**/*.ts\"]}"}],
"experiences":[{"id":"e1","scope_type":"project","title":"Timeouts","level":"case","use_count":3,"is_active":1}],
"experience_versions":[{"id":"ev1","experience_id":"e1","version_num":1,"content":"Raise the limit","scenario":"A test hung","outcome":"success: it passed"}],
"tool_outcomes":[{"id":"o1","tool_name":"Bash","outcome":"failure","message":"exit status 2","created_at":"2026-01-02T03:04:05.000Z"},{"id":"o2","tool_name":"Bash","outcome":"failure","message":"exit status 2","created_at":"2026-01-03T03:04:05.000Z"},{"id":"o3","tool_name":"Read","outcome":"success"}]}}`

func read(t *testing.T, s sample) ([]Thing, []Refusal) {
	t.Helper()
	f, ok := FormatNamed(s.format)
	if !ok {
		t.Fatalf("no format %q", s.format)
	}
	return f.Read(s.name, []byte(s.text))
}

func told(t Thing) string {
	status := t.Status
	if t.Lesson != nil {
		status = t.Lesson.Status
	}
	return string(t.Kind) + " " + t.Title + "|" + status
}

func TestSamples(t *testing.T) {
	for _, s := range samples {
		t.Run(s.format+" "+s.name, func(t *testing.T) {
			things, refused := read(t, s)
			var got []string
			for _, thing := range things {
				got = append(got, told(thing))
			}
			if strings.Join(got, "\n") != strings.Join(s.things, "\n") {
				t.Errorf("things\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(s.things, "\n"))
			}
			if len(refused) != len(s.refused) {
				t.Fatalf("refused %v, want %v", refused, s.refused)
			}
			for i, r := range refused {
				if text := fmt.Sprintf("%d: %s", r.Line, r.Reason); !strings.HasPrefix(text, s.refused[i]) {
					t.Errorf("refused %q, want %q", text, s.refused[i])
				}
			}
			checkPlanned(t, things)
			planTwice(t, things)
		})
	}
}

// planTwice holds that what was imported is known, and that its ids do not
// depend on the day.
func planTwice(t *testing.T, things []Thing) {
	t.Helper()
	s := &store.Snapshot{Manifest: &manifest.Manifest{}, Log: &observe.Log{}, Config: config.Default()}
	first, err := NewPlan(s, things, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if first.Manifest != nil {
		s.Manifest = first.Manifest
	}
	if first.Log != nil {
		s.Log = first.Log
	}
	again, err := NewPlan(s, things, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := again.Count(Imported); n > 0 {
		t.Errorf("%d of %d are imported again", n, len(things))
	}
}

func TestEveryFormatHasASample(t *testing.T) {
	for _, f := range Formats {
		if f.Name == "adr" || f.Name == "lessons-learned" || f.Name == "lessons" {
			continue
		}
		found := false
		for _, s := range samples {
			found = found || s.format == f.Name && len(s.things) > 0
			if s.format == f.Name && len(s.things) > 0 && !f.Takes(s.name) {
				t.Errorf("%s does not take %s", f.Name, s.name)
			}
		}
		if !found {
			t.Errorf("no sample of %s", f.Name)
		}
	}
}

func TestDetection(t *testing.T) {
	for _, s := range samples {
		if len(s.things) == 0 || s.format == "agent-memory" {
			continue
		}
		if f, ok := Detect(s.name, []byte(s.text)); !ok || f.Name != s.format {
			t.Errorf("%s is taken for %q, want %q", s.name, f.Name, s.format)
		}
	}
}

// TestTruncated cuts each sample at every byte. Of JSON nothing comes of a part;
// of a file of lines nothing where a line is torn; Markdown has no end to miss
// but that of its front matter. Whatever is refused names its line.
func TestTruncated(t *testing.T) {
	for _, s := range samples {
		whole := len(strings.TrimRight(s.text, "\n \t"))
		for n := range whole {
			cut := s
			cut.text = s.text[:n]
			things, refused := read(t, cut)
			instructs := s.format == "instructions" || s.format == "memories" // which may tell nobody anything
			if len(things)+len(refused) == 0 && !instructs {
				t.Fatalf("%s cut at %d: neither a thing nor a refusal", s.name, n)
			}
			json := strings.HasSuffix(s.name, ".json") || s.format == "agent-memory"
			torn := strings.HasSuffix(s.name, ".jsonl") && n > 0 && s.text[n-1] != '\n' && s.text[n-1] != '}' && s.text[n] != '\n'
			if (json || torn) && len(things) > 0 {
				t.Fatalf("%s cut at %d: %d things came of a part", s.name, n, len(things))
			}
			for _, r := range refused {
				if r.Reason == "" || r.Line < 1 || r.Line > 1+strings.Count(cut.text, "\n") {
					t.Fatalf("%s cut at %d: a refusal without its place or reason: %+v", s.name, n, r)
				}
			}
		}
	}
}

func TestDevflowPrefersTheBook(t *testing.T) {
	var all []Thing
	for _, s := range samples {
		if s.format == "devflow" && strings.HasPrefix(s.name, ".devflow/") {
			things, _ := read(t, s)
			all = append(things, all...) // the ledger comes before the book
		}
	}
	s := &store.Snapshot{Manifest: &manifest.Manifest{}, Log: &observe.Log{}, Config: config.Default()}
	p, err := NewPlan(s, all, Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, c := range p.Changes {
		text += string(c.After)
	}
	for _, want := range []string{
		"## ADR-001: Use Result types", "- **Consequences**: callers see it", "## ADR-003: Ship on Fridays", "Superseded by ADR-001",
		"## ADR-005: Squash merges", "- **Decision**: 1. Squash.; 2. Merge.", "## PF-004: Locks go stale",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "Use Result types"); n != 1 {
		t.Errorf("one decision came in %d times", n)
	}
}

func TestHookifyTriggers(t *testing.T) {
	rule := func(text string) (Thing, string) {
		things, refused := hookify.Read(".claude/hookify.x.local.md", []byte("---\nname: x\nenabled: true\n"+text+"---\nMessage.\n"))
		if len(refused) > 0 {
			return Thing{}, refused[0].Reason
		}
		return things[0], ""
	}
	got, _ := rule("event: bash\npattern: rm\\s+-rf\n")
	if c := got.Lesson.Triggers.CommandPatterns; len(c) != 1 || c[0] != `(?i)rm\s+-rf` || got.Lesson.Action != lesson.ActionInform {
		t.Errorf("%+v", got.Lesson)
	}
	got, _ = rule("event: bash\nconditions:\n  - {field: command, operator: contains, pattern: \"a+b\"}\n  - {field: command, operator: not_contains, pattern: --dry-run}\n")
	if tr := got.Lesson.Triggers; len(tr.CommandPatterns) != 1 || tr.CommandPatterns[0] != `(?i)a\+b` || len(tr.Unless) != 1 {
		t.Errorf("%+v", tr)
	}
	got, _ = rule("event: file\nconditions:\n  - {field: file_path, operator: regex_match, pattern: '\\.tsx?$'}\n  - {field: new_text, operator: contains, pattern: 'console.log('}\n")
	if got.Lesson == nil || strings.Join(got.Lesson.Triggers.Paths, " ") != "**/*.tsx **/*.ts" || len(got.Lesson.Triggers.Content) != 1 {
		t.Errorf("%+v", got.Lesson)
	}
	for text, want := range map[string]string{
		"event: prompt\npattern: x\n":    "rules about the event",
		"event: all\npattern: x\n":       "its pattern is about every kind of call",
		"event: bash\n":                  "it has no pattern",
		"event: bash\npattern: (a)\\1\n": "a reference to a group",
		"event: bash\nconditions:\n  - {field: command, pattern: a}\n  - {field: command, pattern: b}\n": "two conditions about command",
		"event: bash\nconditions:\n  - {field: transcript, pattern: a}\n":                                "a condition about \"transcript\"",
		"event: bash\nconditions:\n  - {field: command, operator: sounds_like, pattern: a}\n":            "the operator",
	} {
		if _, reason := rule(text); !strings.HasPrefix(reason, want) {
			t.Errorf("%q is refused with %q, want %q", text, reason, want)
		}
	}
}

// fuzzFormat holds for any bytes that something is said of them, with a place,
// and that what was read can be planned and is known after that.
func fuzzFormat(f *testing.F, format, name string) {
	for _, s := range samples {
		if s.format == format {
			f.Add(s.text)
		}
	}
	named, _ := FormatNamed(format)
	f.Fuzz(func(t *testing.T, text string) {
		things, refused := named.Read(name, []byte(text))
		if len(things)+len(refused) == 0 {
			t.Fatal("neither a thing nor a refusal")
		}
		for _, r := range refused {
			if r.Reason == "" || r.Line < 0 || r.Line > 1+strings.Count(text, "\n") {
				t.Errorf("a refusal without its place or reason: %+v", r)
			}
		}
		checkPlanned(t, things)
		planTwice(t, things)
	})
}

func FuzzDevflowBook(f *testing.F) { fuzzFormat(f, "devflow", ".devflow/learning/decisions.md") }
func FuzzDevflowRows(f *testing.F) {
	fuzzFormat(f, "devflow", ".devflow/learning/decisions-ledger.jsonl")
}
func FuzzTriads(f *testing.F)      { fuzzFormat(f, "triads", "x_graph.json") }
func FuzzGitmem(f *testing.F)      { fuzzFormat(f, "gitmem", "scars.json") }
func FuzzInstincts(f *testing.F)   { fuzzFormat(f, "instinct", "a.md") }
func FuzzHookify(f *testing.F)     { fuzzFormat(f, "hookify", "hookify.a.local.md") }
func FuzzSolutions(f *testing.F)   { fuzzFormat(f, "solution", "docs/solutions/a.md") }
func FuzzLearnings(f *testing.F)   { fuzzFormat(f, "learnings", ".learnings/a.md") }
func FuzzSkills(f *testing.F)      { fuzzFormat(f, "skill", "skills/a/SKILL.md") }
func FuzzCommands(f *testing.F)    { fuzzFormat(f, "command", "commands/a.md") }
func FuzzAgentMemory(f *testing.F) { fuzzFormat(f, "agent-memory", "memory.db") }
