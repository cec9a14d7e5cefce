package scan

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/lesson"
)

func process(lines ...string) string {
	return "[PROCESS_KNOWLEDGE]\n" + strings.Join(lines, "\n") + "\n[/PROCESS_KNOWLEDGE]"
}

func TestParseProcessBlocks(t *testing.T) {
	cases := []struct {
		name, text string
		want       ProcessBlock
	}{
		{
			"checklist with all triggers",
			process("type: checklist", "priority: CRITICAL", "label: Version bump", "description: Every file that holds the version",
				"trigger_conditions:", "  tool_names: [Write, Edit]", `  file_patterns: ["**/plugin.json"]`, "  action_keywords: [version bump, release]",
				"  context_keywords: [deploy]", "  triad_names: [deployment]", "checklist:", "  title: All of them", "  items:",
				"    - plugin.json (version field)", "    - Run: make check", "tags: [area:release]"),
			ProcessBlock{
				Kind: lesson.Checklist, Level: lesson.Critical, Title: "Version bump", Description: "Every file that holds the version",
				Trigger: lesson.Trigger{
					Tools: []string{"Write", "Edit"}, Paths: []string{"**/plugin.json"}, Keywords: []string{"version bump", "release"},
					Context: []string{"deploy"}, Agents: []string{"deployment"},
				},
				Items: []string{"plugin.json (version field)", "Run: make check"}, Tags: []string{"area:release"},
				Parts: []string{"heading", "All of them"},
			},
		},
		{
			"pattern",
			process("type: pattern", "title: Order of releases", "priority: 8", "pattern:", "  situation: a release is due", "  action: tag after the build", "  rationale: the tag starts the build", "  example: v2"),
			ProcessBlock{
				Kind: lesson.Pattern, Level: lesson.High, Title: "Order of releases",
				Fix: "tag after the build", Parts: []string{"context", "a release is due", "rationale", "the tag starts the build", "example", "v2"},
			},
		},
		{
			"warning",
			process("process_type: warning", "label: Old cache", "triggers: {commands: [npm ci]}", "warning: {risk: stale modules, severity: high, detection: odd errors, mitigation: clear it}"),
			ProcessBlock{
				Kind: lesson.Warning, Title: "Old cache", Trigger: lesson.Trigger{Commands: []string{"npm ci"}},
				Mistake: "stale modules", Fix: "clear it", Parts: []string{"severity", "high", "detection", "odd errors"},
			},
		},
		{
			"what nobody knows is kept",
			process("type: requirement", "title: Money", "team: [shop, billing]", "requirement:", "  constraint: whole cents", "  rationale: floats lose cents", "  validation: grep float", "  since: 2024", "triggers: {file_patterns: [a.go], upstream: [cart]}", "confidence: 0.9", "evidence: an invoice", "checklist: {items: [x]}"),
			ProcessBlock{
				Kind: lesson.Requirement, Title: "Money", Trigger: lesson.Trigger{Paths: []string{"a.go"}}, Fix: "whole cents",
				Parts: []string{
					"rationale", "floats lose cents", "validation", "grep float", "evidence", "an invoice",
					"notes", "since: 2024, upstream: cart, checklist: items: x, confidence: 0.9, team: shop, billing",
				},
			},
		},
		{
			"requirement in one sentence",
			process("type: requirement", "title: Signed commits", "requirement: Every commit is signed"),
			ProcessBlock{Kind: lesson.Requirement, Title: "Signed commits", Fix: "Every commit is signed"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := ParseReports(c.text)
			blocks, flaws := r.Processes, r.Flaws
			if len(blocks) != 1 || len(flaws) != 0 {
				t.Fatalf("%d blocks, flaws %v", len(blocks), flaws)
			}
			if !reflect.DeepEqual(blocks[0], c.want) {
				t.Errorf("parsed\n%+v\nwant\n%+v", blocks[0], c.want)
			}
		})
	}
}

func TestMalformedProcessBlocksAreFlaws(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"not YAML", process("type: [checklist"), "1 [PROCESS_KNOWLEDGE] is not YAML"},
		{"a glob without quotes is an alias", process("type: checklist", "label: x", "checklist:", "  items:", "    - *.go"), "1 [PROCESS_KNOWLEDGE] is not YAML"},
		{"empty", process(""), "1 [PROCESS_KNOWLEDGE] holds no fields"},
		{"unknown type", "\n" + process("type: poem", "label: x"), `2 [PROCESS_KNOWLEDGE] has the type "poem"`},
		{"no body", process("type: warning", "label: x"), "1 [PROCESS_KNOWLEDGE] has no warning body"},
		{"no title", process("type: warning", "warning: {risk: r}"), "1 [PROCESS_KNOWLEDGE] has no title"},
		{"not closed", "[PROCESS_KNOWLEDGE]\ntype: warning", "1 [PROCESS_KNOWLEDGE] is not closed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			good := process("type: requirement", "title: Stands", "requirement: r")
			r := ParseReports(c.text + "\n\n" + good)
			blocks, flaws := r.Processes, r.Flaws
			if len(flaws) != 1 || !strings.HasPrefix(fmt.Sprint(flaws[0].Line, " ", flaws[0].Text), c.want) {
				t.Errorf("flaws %v, want %s", flaws, c.want)
			}
			if len(blocks) != 1 || blocks[0].Title != "Stands" {
				t.Errorf("the good block behind it was lost: %v", blocks)
			}
		})
	}
}

func TestProcessBlockFormIsNotLearned(t *testing.T) {
	for _, text := range []string{
		process("type: checklist|pattern|warning|requirement", "label: <title>"),
		process("type: checklist", "label: <what it is about>", "checklist: {items: [a]}"),
		"```yaml\n" + process("type: requirement", "title: t", "requirement: r") + "\n```",
		"Example:\n" + process("type: requirement", "title: t", "requirement: r"),
	} {
		if r := ParseReports(text); len(r.Processes)+len(r.Flaws) != 0 {
			t.Errorf("%q gave %+v", text, r)
		}
	}
}

func FuzzParseProcessBlocks(f *testing.F) {
	f.Add(process("type: checklist", "label: x", "checklist: {items: [a, {b: c}, [d, e]]}"))
	f.Add(process("type: warning", "label: &a x", "warning: *a"))
	f.Add(process("? [a]", ": b", "type: pattern"))
	f.Add("[PROCESS_KNOWLEDGE]\n[PROCESS_KNOWLEDGE]\n[/PROCESS_KNOWLEDGE]")
	f.Fuzz(func(t *testing.T, text string) {
		r := ParseReports(text)
		blocks, flaws := r.Processes, r.Flaws
		for _, b := range blocks {
			if b.Title == "" || len(b.Items) == 0 && b.Mistake+b.Fix == "" {
				t.Errorf("an incomplete block was accepted: %+v", b)
			}
			for _, it := range b.Items {
				if strings.ContainsAny(it, "\n\r") {
					t.Errorf("the item %q is more than one line", it)
				}
			}
			b.finding()
		}
		for _, fl := range flaws {
			if fl.Line < 1 || fl.Line > strings.Count(text, "\n")+1 {
				t.Errorf("a flaw in line %d", fl.Line)
			}
		}
	})
}
