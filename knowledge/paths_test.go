package knowledge

import "testing"

func TestRepositoryPath(t *testing.T) {
	for in, want := range map[string]string{
		"":                               "",
		".memory/knowledge/decisions.md": ".memory/knowledge/decisions.md",
		"./.lessons/a.md":                ".lessons/a.md",
		"/r/.memory/knowledge/decisions.md#ADR-001": ".memory/knowledge/decisions.md#ADR-001",
		`C:\src\app\.claude\skills\x\SKILL.md`:      ".claude/skills/x/SKILL.md",
		"/h/.claude/worktrees/a/.memory/manifest/x": ".memory/manifest/x",
		"/etc/passwd":                                "/etc/passwd",
		`.claude\skills\x\SKILL.md`:                  ".claude/skills/x/SKILL.md",
		"/r/.memory/../../../etc/passwd/.memory/x/.": ".memory/x",
	} {
		if got := RepositoryPath(in); got != want {
			t.Errorf("RepositoryPath(%q) = %q, want %q", in, got, want)
		}
	}
}
