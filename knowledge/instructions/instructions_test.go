package instructions

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Lines that hold an instruction end in " <<".
const agentsFile = "\ufeff---\ntitle: x\n---\n# Acme API\n" + `
This is a NestJS monorepo that serves the public API.

## Project structure

- ~src/~ — application code
- ~src/modules~: one folder per feature
- The billing code lives in ~src/billing~

## Commands

- ~pnpm dev~ - start the dev server
- Run ~pnpm lint~ to check style
- Build: ~pnpm build~
- To run a single test, use ~pnpm vitest run path~

~~~bash
never run this
~~~

## Code style

- 2 spaces, no tabs <<
- Use named exports; no default exports <<
- camelCase for functions, PascalCase for components <<
- **Errors**: wrap with ~AppError~ <<
- The project uses Prettier.
- No ~any~ <<
- ❌ Use ~class-validator~ <<

## Testing

- Vitest is used for unit tests.
- Every new endpoint must have an integration test. <<
- When adding a migration:
  - update ~schema.sql~ <<
  - run ~pnpm db:check~ <<
- Run ~pnpm test~ before committing. <<
- Write clean, readable code

## Never

- Editing generated files in ~src/gen~ <<

Never edit ~CHANGELOG.md~ by hand. It is made by the release job. <<

We use pnpm, not npm. What is this? <<

| Do | Don't |
| --- | --- |
| use x | use y | <<

<important>
Always ask before adding a dependency. <<
</important>

<!-- BEGIN:other-tool -->
Never edit this part.
<!-- END:other-tool -->
<!-- lessons:begin -->
- Never edit this part either.
<!-- lessons:end 0123 -->

Money is stored as integer cents; never use floats for it. <<
See docs/architecture.md for details.
@docs/more.md
`

func TestStatementsOfAnAgentsFile(t *testing.T) {
	text := strings.ReplaceAll(agentsFile, "~~~", "```")
	text = strings.ReplaceAll(text, "~", "`")
	var want, got []int
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasSuffix(line, " <<") {
			want, lines[i] = append(want, i+1), strings.TrimSuffix(line, " <<")
		}
	}
	f := Read("AGENTS.md", []byte(strings.Join(lines, "\r\n")))
	rules := map[int]string{}
	for _, s := range f.Statements() {
		got, rules[s.Line] = append(got, s.Line), s.Rule
	}
	got = slices.Compact(got)
	for n := range len(lines) {
		if slices.Contains(want, n+1) != slices.Contains(got, n+1) {
			t.Errorf("line %d, %q: an instruction: %v", n+1, lines[n], slices.Contains(got, n+1))
		}
	}
	for line, rule := range map[string]string{
		"- ❌ Use `class-validator`": "Never: Use `class-validator`", "  - update `schema.sql`": "When adding a migration: update `schema.sql`",
		"- Editing generated files in `src/gen`": "Never: Editing generated files in `src/gen`", "- **Errors**: wrap with `AppError`": "Errors: wrap with `AppError`",
	} {
		if got := rules[slices.Index(lines, line)+1]; got != rule {
			t.Errorf("%q is the rule %q, want %q", line, got, rule)
		}
	}
	if len(f.Imports) != 1 || f.Imports[0].Path != "docs/more.md" {
		t.Errorf("it brings in %v", f.Imports)
	}
}

func TestScopeOfRules(t *testing.T) {
	for _, c := range []struct{ path, matter, scope string }{
		{"AGENTS.md", "", "[]"},
		{"packages/api/AGENTS.md", "", "[packages/api/**]"},
		{".claude/CLAUDE.md", "", "[]"},
		{".claude/rules/api.md", "paths:\n  - src/api/**/*.ts\n  - \"*.go\"", "[src/api/**/*.ts **/*.go]"},
		{".claude/rules/api.md", "paths: src/{a,b}/**, docs/", "[src/{a,b}/** docs/**]"},
		{".claude/rules/all.md", "", "[]"},
		{".cursor/rules/ts.mdc", "description: TS\nglobs: *.ts,**/*.tsx\nalwaysApply: false", "[**/*.ts **/*.tsx]"},
		{".cursor/rules/ts.mdc", "globs: [\"app/**\"]", "[app/**]"},
		{"web/.cursor/rules/ts.mdc", "globs: app/**", "[web/app/**]"},
		{".github/instructions/py.instructions.md", "applyTo: \"**/*.py\"", "[**/*.py]"},
		{".github/instructions/all.instructions.md", "applyTo: \"**\"", "[]"},
		{".github/copilot-instructions.md", "", "[]"},
		{"service/CLAUDE.local.md", "", "[service/**]"},
	} {
		f := Read(c.path, []byte("---\n"+c.matter+"\n---\n\nNever use `eval`.\n"))
		if got := fmt.Sprint(f.Scope); got != c.scope || f.Kind.Name == "" {
			t.Errorf("%s with %q: for %s, want %s (%s)", c.path, c.matter, got, c.scope, f.Kind.Name)
		}
		if all := f.Statements(); len(all) != 1 || all[0].Line != 2+strings.Count(c.matter, "\n")+3 {
			t.Errorf("%s: statements %v", c.path, all)
		}
	}
	for _, path := range []string{"README.md", "docs/agents.md", ".github/workflows/ci.md", "src/rules/a.md"} {
		if k, ok := KindOf(path); ok {
			t.Errorf("%s is of kind %s", path, k.Name)
		}
	}
}

func TestWrittenInFiveLanguages(t *testing.T) {
	for text, want := range map[string]int{
		"## Regeln\n\n- Verwende pnpm, nicht npm.\n- Keine Abkürzungen in Namen\n- Commits werden auf Englisch geschrieben\n\nDer Code liegt in `src`.\n": 3,
		"## Uso\n\n- Usa pnpm, no npm.\n- No edites los archivos de `gen/`.\n\nEl código está en `src`.\n":                                                2,
		"## 规范\n\n- 必须使用 pnpm，不要用 npm\n- 提交前运行 `make lint`\n\n该项目位于 `src` 目录。\n":                                                                          2,
		"## ルール\n\n- npmではなくpnpmを使うこと\n- `gen/` のファイルは編集しないでください\n\nこれはAPIサーバーです。\n":                                                                      2,
	} {
		f := Read("AGENTS.md", []byte(text))
		if got := f.Statements(); len(got) != want {
			t.Errorf("%q: %d instructions, want %d: %v", text, len(got), want, got)
		}
	}
}
