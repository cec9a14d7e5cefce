package instructions

import (
	"slices"
	"strings"
	"testing"
)

// What real files are full of: a line of a file becomes the rules that a reader would keep,
// each whole and each once.
func TestRulesOfLinesAsPeopleWriteThem(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		rules []string
	}{
		"a sentence does not end inside of code": {
			"## Commands\n\nRun `go run . -w internal/vendored` to format it. Only do this when you bump the version.\n",
			[]string{"Run `go run . -w internal/vendored` to format it. Only do this when you bump the version"},
		},
		"an abbreviation ends no sentence": {
			"Callers of this package (e.g. `acme/store`) must use the version that matches their generated code.\n",
			[]string{"Callers of this package (e.g. `acme/store`) must use the version that matches their generated code"},
		},
		"a paragraph that goes on is one rule": {
			"Adding a column: add it nullable, then backfill it in batches. Never do it in one step.\n",
			[]string{"Adding a column: add it nullable, then backfill it in batches. Never do it in one step"},
		},
		"each sentence stands in one rule": {
			"Error messages are part of the product. Each of them must name the line. Their snapshots are in `test/errors`; when you change one, update it by hand.\n",
			[]string{"Error messages are part of the product. Each of them must name the line. Their snapshots are in `test/errors`; when you change one, update it by hand"},
		},
		"what it means by one stands in the sentence itself": {
			"In May the checksum changed and old files broke. The file format is frozen: a change to `format.rs` needs a new version number and a reader for the old one.\n",
			[]string{"The file format is frozen: a change to `format.rs` needs a new version number and a reader for the old one"},
		},
		"a list that goes on with what is forbidden above it says what to do instead": {
			"- Do not add comments to the code unless they are really necessary:\n  - Prefer self-documenting code.\n",
			[]string{"Do not add comments to the code unless they are really necessary: Prefer self-documenting code"},
		},
		"a list below a heading that forbids is forbidden": {"## Never do\n\n- Use `any`\n", []string{"Never: Use `any`"}},
		"what a command or a file is for is a description": {
			"## Conventions\n\n- `make editor` — regenerate the tables, compile the tests. Run this after edits.\n- `xfoo` — entry to `foo` (linux/amd64 only, in `abi.go`)\n- `gen/` — written by `make gen`. Never edit it by hand.\n",
			[]string{"`gen/` — written by `make gen`. Never edit it by hand"},
		},
		"another file that is brought in is no rule": {"Import @README.md\n", nil},
		"steps of a procedure are no rules by themselves": {
			"## Workflow\n\n1. Read the issue\n2. Write a failing test\n3. Never push to `main`\n4. Open a draft pull request\n\n## Rules\n\n1. Use named exports\n",
			[]string{"Never push to `main`", "Use named exports"},
		},
		"only the last sentence of a line leads to its list": {
			"## Rules\n\nThe tool is a fork of another one. When you edit it:\n\n- keep `gofmt.go` close to upstream\n",
			[]string{"When you edit it: keep `gofmt.go` close to upstream"},
		},
		"advice for any assistant in any project": {"## Behaviour\n\n- Be helpful and friendly\n- Write concise, technical answers\n", nil},
	} {
		f := Read("AGENTS.md", []byte(c.text))
		var rules []string
		for _, s := range f.Statements() {
			rules = append(rules, s.Rule)
		}
		if !slices.Equal(rules, c.rules) {
			t.Errorf("%s:\n got  %q\n want %q", name, strings.Join(rules, "\n      "), strings.Join(c.rules, "\n      "))
		}
	}
}
