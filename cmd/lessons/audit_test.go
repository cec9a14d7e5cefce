package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
)

// place is a statement of a repository of testdata/audit.
type place struct {
	File string
	Line int
	Kind string
	With string
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// TestAudit holds an audit of three repositories against what was planted in them, beside
// statements that are sound. With -v it prints each.
func TestAudit(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	found, planted, sound, wrong := 0, 0, 0, 0
	for _, name := range []string{"fleetd", "returns-platform", "storefront"} {
		var want struct{ Planted, Sound []place }
		data, err := os.ReadFile(filepath.Join("testdata/audit", name+".expected.json"))
		if err != nil || json.Unmarshal(data, &want) != nil {
			t.Fatal(err)
		}
		findings := auditCopy(t, filepath.Join("testdata/audit", name))
		for _, p := range want.Planted {
			hit := slices.IndexFunc(findings, func(f knowledge.Problem) bool {
				at := fmt.Sprintf("%s:%d", f.Path, f.Line)
				return at == p.String() || p.With != "" && at == p.With && strings.Contains(f.Text, p.String())
			})
			if hit >= 0 {
				found++
				t.Logf("%s %s %s: %s [%s]", name, p, p.Kind, findings[hit].Text, findings[hit].Rule)
			} else {
				t.Logf("%s %s %s: NOT FOUND", name, p, p.Kind)
			}
		}
		planted, sound = planted+len(want.Planted), sound+len(want.Sound)
		for _, f := range findings {
			at := fmt.Sprintf("%s:%d", f.Path, f.Line)
			if !slices.ContainsFunc(want.Planted, func(p place) bool { return at == p.String() || at == p.With }) {
				wrong++
				t.Logf("%s %s WRONG: %s [%s]", name, at, f.Text, f.Rule)
			}
		}
	}
	t.Logf("%d of %d planted statements found, %d findings on %d sound ones", found, planted, wrong, sound)
	if planted != 60 || sound < 200 || 100*found < 90*planted || 100*found < 95*(found+wrong) {
		t.Errorf("%d of %d found (90 %% wanted), %d wrong findings (at most 5 %% of all)", found, planted, wrong)
	}
}

// auditCopy commits a copy of a folder and audits it.
func auditCopy(t *testing.T, from string) []knowledge.Problem {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	p := &player{t: t, at: &clone{dir: dir}}
	p.git("init", "-q", ".")
	commitAll(t, dir)
	_, out := do(dir, os.Getenv("HOME"), "", false, "audit", "--json")
	var audited struct{ Findings []knowledge.Problem }
	if err := json.Unmarshal([]byte(out), &audited); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return audited.Findings
}
