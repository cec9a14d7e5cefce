package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/instructions"
)

// found audits an AGENTS.md of one line an item beside files, and lists line and rule of
// the findings.
func found(files map[string]string, items ...string) []string {
	in := Input{Repository: map[string]string{"AGENTS.md": ""}, Ignored: func(paths []string) map[string]bool {
		ignored := map[string]bool{}
		for _, p := range paths {
			ignored[p] = strings.HasPrefix(p, "dist/") || p == "dist"
		}
		return ignored
	}}
	for name, text := range files {
		in.Repository[name] = text
	}
	text := "# Rules\n\n- " + strings.Join(items, "\n- ") + "\n"
	in.Files = []Source{{File: instructions.Read("AGENTS.md", []byte(text)), Bytes: len(text)}}
	var all []string
	for _, f := range Run(in) {
		all = append(all, fmt.Sprintf("%d %s", f.Line-2, f.Rule))
	}
	return all
}

var cargo = map[string]string{
	"Cargo.toml": "[package]\nname = \"engine\"\n\n[lints.clippy]\nunwrap_used = \"deny\"\ntodo = \"allow\"\n", "rustfmt.toml": "max_width = 100\n", "src/main.rs": "mod plan;\nfn main() {}\n",
	"src/plan.rs": "pub struct Planner;\nimpl Planner { pub fn build(&self) {} }\n", "justfile": "test:\n  cargo test\nlint arg:\n  cargo clippy\n", "docs/guide.md": "see `old_planner`\n",
	"Makefile": "include rules.mk\nall: build\nbuild:\n\tcargo build\n", "rules.mk": "check:\n\ttrue\n",
	"web/package.json": `{"name":"web","scripts":{"dev":"vite"},"devDependencies":{"vitest":"1"}}`, "package.json": `{"scripts":{"build":"x"}}`, "web/src/App.tsx": "import { useState } from 'react'\nexport function App() {}\n",
}

func TestWhatIsNotThere(t *testing.T) {
	for item, want := range map[string]string{
		"The planner is in `src/planner.rs`.":                   MissingPath,
		"The planner is in `src/plan.rs`, see `docs/guide.md`.": "",
		"Benchmarks are below `benches/plan.rs`.":               MissingPath,
		"The bundle is written to `dist/app.js`.":               "",
		"Assets are in `dist/assets`.":                          "",
		"The old code in `src/legacy` was removed.":             "",
		"Never create a `src/utils` folder.":                    "",
		"Routes begin with `/v1/` and answer `text/html`.":      "",
		"Branches are `feature/<topic>`.":                       "",
		"Use `std/fs` and `log/slog`.":                          "",
		"Pages are `src/pages/<name>.tsx`.":                     "",
		"Run `make check` and `make build`.":                    "",
		"Run `make fuzz` before you push.":                      MissingTarget,
		"Run `just test`.":                                      "",
		"Run `just bench`.":                                     MissingTarget,
		"Run `npm run build`.":                                  "",
		"Run `npm run deploy`.":                                 MissingTarget,
		"Run `pnpm --filter web dev`.":                          "",
		"Run `pnpm --filter web storybook`.":                    MissingTarget,
		"Run `pnpm vitest run`.":                                "",
		"Install with `pnpm install`.":                          "",
		"Seed it by `python tools/seed.py --all`.":              MissingCommand,
		"Deploy with `./scripts/deploy.sh staging`.":            MissingCommand,
		"`Planner::build` is the algorithm.":                    "",
		"`Planner::optimize` is the algorithm.":                 MissingSymbol,
		"Start with `old_planner`.":                             MissingSymbol,
		"Don't use `useEffect` here.":                           "",
		"Use `getByRole` in Playwright tests.":                  "",
		"Hooks are named `useThing`.":                           "",
		"Wrap errors with `anyhow::Context`.":                   "",
	} {
		if got := strings.Join(found(cargo, item), " "); got != strings.TrimSpace(strings.Repeat("1 ", min(len(want), 1))+want) {
			t.Errorf("%q: %q, want %q", item, got, want)
		}
	}
}

func TestWhatSettingsEnforce(t *testing.T) {
	files := map[string]string{
		".editorconfig": "[*]\ninsert_final_newline = true\n[*.py]\nindent_style = space\nindent_size = 4\n", "eslint.config.js": "rules: {\n  'no-var': 'error',\n  'no-alert': 'off',\n}\n",
		".golangci.yml": "linters:\n  enable:\n    - goimports\n  disable:\n    - lll\n", "ruff.toml": "line-length = 88\n[lint]\nselect = [\"E\", \"D\"]\nignore = [\"T20\"]\n", ".prettierrc": "{\"semi\": false}\n",
	}
	for item, want := range map[string]string{
		"Files end with a newline at the end: a final newline.": Enforced,
		"Never use `var`; take `const`.":                        Enforced,
		"Never call `alert`.":                                   "",
		"Group imports: standard library first.":                Enforced,
		"Lines have at most 88 characters.":                     Enforced,
		"Lines have at most 120 characters.":                    Contradiction,
		"Every function has a docstring.":                       Enforced,
		"Do not leave `print` in code.":                         "",
		"No semicolons.":                                        Enforced,
		"Indent Python with 4 spaces.":                          Enforced,
		"The linter is ruff.":                                   "",
		"Write small functions.":                                "",
	} {
		if got := strings.Join(found(files, item), " "); got != strings.TrimSpace(strings.Repeat("1 ", min(len(want), 1))+want) {
			t.Errorf("%q: %q, want %q", item, got, want)
		}
	}
}

func TestWhatIsSaidTwiceOrOtherwise(t *testing.T) {
	for _, c := range []struct{ one, other, want string }{
		{"Run `make lint` before each push.", "Before a push, `make lint` has to pass.", Duplicate},
		{"Never edit generated files below `src/gen` by hand.", "Files below `src/gen` are generated: never edit them by hand.", Duplicate},
		{"We use pnpm only.", "Use npm for installing packages.", Contradiction},
		{"Pull requests are squashed.", "Use merge commits for pull requests, never squash them.", Contradiction},
		{"Amounts of an invoice are integers.", "Amounts of an invoice are floats.", Contradiction},
		{"Amounts of an invoice are integers.", "Temperatures are floats.", ""},
		{"Rebase on main.", "Pull requests are squashed.", ""},
		{"Run `make test` before you push.", "Run `make lint` before you commit.", ""},
		{"Handlers are in `api`.", "Jobs are in `worker`.", ""},
	} {
		want := c.want
		if want != "" {
			want = "2 " + want
		}
		if got := strings.Join(found(map[string]string{"Makefile": "lint:\ntest:\n", "src/gen/a.go": "", "api/a.go": "", "worker/a.go": ""}, c.one, c.other), " "); got != want {
			t.Errorf("%q, %q: %q, want %q", c.one, c.other, got, want)
		}
	}
}

// Rules for different files may differ.
func TestScopesThatDoNotMeetContradictNothing(t *testing.T) {
	read := func(path, text string) Source { return Source{File: instructions.Read(path, []byte(text))} }
	in := Input{Files: []Source{read("web/AGENTS.md", "- Indent the templates with tabs.\n- We use npm only.\n"), read("api/AGENTS.md", "- Indent the templates with two spaces.\n- We use pnpm only.\n")}}
	if all := Run(in); len(all) > 0 {
		t.Errorf("%v", all)
	}
}

func TestTooLarge(t *testing.T) {
	f := Source{File: instructions.Read("AGENTS.md", nil), Bytes: maxBytes + 1}
	if all := Run(Input{Files: []Source{f}}); len(all) != 1 || all[0].Rule != TooLarge {
		t.Errorf("%v", all)
	}
	if costs := Costs([]Source{f}); !slices.Contains([]int{8193}, costs[0].Tokens) {
		t.Errorf("%v", costs)
	}
}

// What real files hold and nothing is wrong with: a rule that names a command of a list of
// commands, a name that stands for others, and a folder that a linter's settings select.
func TestNothingIsWrongWithWhatRealFilesHold(t *testing.T) {
	files := map[string]string{
		".golangci.yml": "linters:\n  exclusions:\n    rules:\n      - path: ^testing/\n        linters:\n          - revive\n",
		"Makefile":      "generate:\n\tgo generate ./...\n", "main.go": "package main\n", "testing/mock.go": "package testing\n",
	}
	for _, c := range []struct{ name, a, b string }{
		{"a list of commands", "`make generate` - Generate required code", "Run `make generate` to generate the required code"},
		{"a name that stands for others", "`Tfoo_t` — the type definition of `foo_t`", "Run `make generate` after a change"},
		{"a folder of settings", "Mocks in `testing/` are generated and should not be edited by hand", "Run `make generate` after a change"},
	} {
		if got := found(files, c.a, c.b); len(got) > 0 {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
