package main

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// oddities are texts that are something else to Markdown, YAML or an agent.
var oddities = []string{
	`"quoted" and 'single'`, "--- a rule", "# a heading", "a | b | c", "see @src/main.go and !`ls`", "trailing: colon", "*bold* _under_ [link](x)", "> quoted", "- item",
	"1. first 2. second", "<!-- hidden --> shown", "金额用整数分，不用浮点数", "テストは pytest で実行する", "Überprüfe die Größe", "{{name}} ${HOME}", "```fence```", "~~~", "because; rationale: this",
	"a very long text that goes on " + strings.Repeat("and on ", 40), "use `go test ./...`, then push", "#lesson", "TODO: nothing", "100 % of\tit",
}

// drawBlock draws a [PROCESS_KNOWLEDGE] block, and returns its texts.
func drawBlock(t *rapid.T, n int) (block string, texts []string) {
	text := func(name string) string {
		s := fmt.Sprintf("%s %d %s", name, n, rapid.SampledFrom(oddities).Draw(t, name))
		texts = append(texts, s)
		return s
	}
	body := map[string]any{}
	forms := map[string][]string{
		"pattern": {"situation", "action", "rationale", "example"}, "warning": {"risk", "severity", "detection", "mitigation"},
		"requirement": {"constraint", "rationale", "validation"}, "checklist": {"title", "format"},
	}
	kind := rapid.SampledFrom([]string{"checklist", "pattern", "requirement", "warning"}).Draw(t, "kind")
	for _, name := range forms[kind] {
		body[name] = text(name)
	}
	if kind == "checklist" {
		body["items"] = []string{text("one"), text("two"), text("three")}
	}
	doc := map[string]any{"type": kind, "label": fmt.Sprintf("Thing %d %s", n, kind), kind: body, "evidence": text("evidence"), "description": text("description"), "owner": text("owner")}
	if rapid.Bool().Draw(t, "fires") {
		doc["triggers"] = map[string]any{"tool_names": []string{"bash"}, "commands": []string{fmt.Sprintf("tool%d run", n)}}
	}
	data, err := yaml.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return "[PROCESS_KNOWLEDGE]\n" + string(data) + "[/PROCESS_KNOWLEDGE]\n", texts
}

// letters are what escaping leaves alone.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// TestBlocksAreWrittenWhole adds blocks with odd texts: every field stands in what is
// written, and lessons check finds nothing.
func TestBlocksAreWrittenWhole(t *testing.T) {
	t.Parallel()
	p := prepare(t, true)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		if n++; n > 40 {
			return // each is a run of the program
		}
		block, texts := drawBlock(t, n)
		if out, status := p.run(block, "add"); status != 0 {
			t.Fatalf("lessons add: exit status %d: %s\n%s", status, out, block)
		}
		written := letters(p.tree(".lessons") + p.tree(".memory"))
		for _, text := range texts {
			if !strings.Contains(written, letters(text)) {
				t.Fatalf("%q is nowhere\n%s", text, block)
			}
		}
	})
	if out, status := p.run("", "check"); status != 0 {
		t.Errorf("lessons check: exit status %d: %s", status, out)
	}
}
