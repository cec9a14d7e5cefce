package artifact

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// tree writes files below a temporary folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func artifactTree() map[string]string {
	return map[string]string{
		".lessons/README.md":                           "# what this is\n",
		".lessons/config.json":                         "{}",
		".lessons/a-1234.md":                           "---\nid: X\nstatus: draft\nsource: self-learning:obs_a\n---\n# A\n\nsource: self-learning:obs_no\n",
		".lessons/broken.md":                           "---\nid: X\nid: Y\nsource: self-learning:obs_b\n---\n# B\n",
		".lessons/plain.md":                            "just text\n",
		".lessons/deep/x.md":                           "---\nid: X\nsource: self-learning:obs_no\n---\n",
		".lessons/skills/s1/SKILL.md":                  "---\nname: s1\nmetadata:\n  source: self-learning:obs_s\n---\n# Skill one\n",
		".lessons/skills/s1/extra.md":                  "---\nsource: self-learning:obs_no\n---\n",
		".memory/knowledge/decisions.md":               "# D\n\n## ADR-001: One\n\n- **Status**: Accepted\n- **Source**: self-learning:obs_d\n\n## ADR-002: Two\n",
		".memory/knowledge/pitfalls.md":                "## PF-001: P\n\n- **Status**: Active\n- **Source**: self-learning:obs_p\n",
		".memory/knowledge/decisions/ADR-003-three.md": "## ADR-003: Three\n\n- **Source**: self-learning:obs_f\n",
		".memory/knowledge/decisions/README.md":        "# own header\n",
		".memory/knowledge/decisions/notes.md":         "# notes\n",
		".memory/other.md":                             "## ADR-009: no\n",
		".claude/commands/self-learning/c.md":          "---\ndescription: \"x\"\n# source: self-learning:obs_c\n---\n# Command\n",
		".claude/commands/mine.md":                     "do it\n",
		".claude/skills/s1/SKILL.md":                   "---\nname: s1\nmetadata:\n  source: self-learning:obs_s\n---\n# Skill one\n",
		".claude/agents/x.md":                          "---\nsource: self-learning:obs_no\n---\n",
		".claude/settings.json":                        "{}",
		".agents/skills/odd/SKILL.md":                  "no front matter\n",
		"docs/x.md":                                    "---\nsource: self-learning:obs_no\n---\n",
	}
}

func TestArtifactsAreFoundByTheirMarkers(t *testing.T) {
	root := tree(t, artifactTree())
	all := Read(fsx.OS{}, root)
	found, problems := all.Artifacts, all.Problems
	var got []string
	for _, a := range found {
		got = append(got, strings.Join([]string{a.Path, string(a.Kind), a.Source, a.Anchor, a.Title, a.Status}, "|"))
		if a.Hash != knowledge.ContentHash(a.Text) || a.Line < 1 || len(a.Text) == 0 {
			t.Errorf("%s: hash %s, line %d", a.Path, a.Hash, a.Line)
		}
	}
	want := []string{
		".agents/skills/odd/SKILL.md|skill|||odd|",
		".claude/commands/mine.md|command|||mine|",
		".claude/commands/self-learning/c.md|command|obs_c||Command|",
		".claude/skills/s1/SKILL.md|skill|obs_s||Skill one|",
		".lessons/a-1234.md|lesson|obs_a||A|draft",
		".lessons/broken.md|lesson|obs_b|||",
		".lessons/plain.md|lesson||||",
		".lessons/skills/s1/SKILL.md|skill|obs_s||Skill one|",
		".memory/knowledge/decisions.md|adr|obs_d|ADR-001|One|Accepted",
		".memory/knowledge/decisions.md|adr||ADR-002|Two|",
		".memory/knowledge/decisions/ADR-003-three.md|adr|obs_f|ADR-003|Three|",
		".memory/knowledge/pitfalls.md|pf|obs_p|PF-001|P|Active",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var said []string
	for _, p := range problems {
		said = append(said, p.Path+"|"+p.Rule)
	}
	if diff := cmp.Diff([]string{".lessons/broken.md|lesson", ".lessons/plain.md|lesson", ".memory/knowledge/decisions/notes.md|entry-file"}, said); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	entries := ReadEntries(fsx.OS{}, root)
	decisions, pitfalls := entries.Decisions, entries.Pitfalls
	if len(decisions) != 3 || len(pitfalls) != 1 {
		t.Errorf("%d decisions, %d pitfalls", len(decisions), len(pitfalls))
	}
}

func TestArtifactsLeaveOtherPeoplesFoldersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	outside := tree(t, artifactTree())
	root := tree(t, map[string]string{
		".lessons/skills/nested/.git/HEAD":         "ref: x\n",
		".lessons/skills/nested/SKILL.md":          "---\nsource: self-learning:obs_no\n---\n",
		".agents/.git":                             "gitdir: elsewhere\n",
		".agents/skills/x/SKILL.md":                "---\nsource: self-learning:obs_no\n---\n",
		".memory/knowledge/pitfalls.md":            "## PF-001: P\n",
		".claude/commands/deep/a/b/c.md":           "x\n",
		".memory/knowledge/decisions.md/README.md": "a folder where the book should be\n",
	})
	link := func(from, to string) {
		if err := os.Symlink(filepath.Join(outside, from), filepath.Join(root, to)); err != nil {
			t.Fatal(err)
		}
	}
	link(".claude/skills", ".claude/skills")
	link(".lessons/a-1234.md", ".lessons/linked.md")
	link(".lessons/skills/s1", ".lessons/skills/s1")
	all := Read(fsx.OS{}, root)
	found, problems := all.Artifacts, all.Problems
	var paths []string
	for _, a := range found {
		paths = append(paths, a.Path)
		if a.Source != "" {
			t.Errorf("%s was read: %s", a.Path, a.Source)
		}
	}
	if diff := cmp.Diff([]string{".claude/commands/deep/a/b/c.md", ".memory/knowledge/pitfalls.md"}, paths); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var said []string
	for _, p := range problems {
		said = append(said, p.Path+"|"+p.Rule)
	}
	if diff := cmp.Diff([]string{".lessons/linked.md|link", ".memory/knowledge/decisions.md|unreadable"}, said); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestNoArtifactFolders(t *testing.T) {
	all := Read(fsx.OS{}, t.TempDir())
	found, problems := all.Artifacts, all.Problems
	if len(found) > 0 || len(problems) > 0 {
		t.Errorf("%v %v", found, problems)
	}
	all = Read(fsx.OS{}, tree(t, map[string]string{".lessons": "a file", ".memory": "a file", ".claude": ""}))
	found, problems = all.Artifacts, all.Problems
	if len(found) > 0 || len(problems) > 0 {
		t.Errorf("files for folders: %v %v", found, problems)
	}
}

func TestLargeFilesAreNotRead(t *testing.T) {
	root := tree(t, map[string]string{
		".lessons/large.md":             "---\nid: x\n---\n" + strings.Repeat("x", lesson.MaxBytes),
		".lessons/small.md":             "---\nid: x\n---\n# S\n",
		".memory/knowledge/pitfalls.md": "## PF-001: P\n",
	})
	all := Read(fsx.OS{}, root)
	found, problems := all.Artifacts, all.Problems
	if len(found) != 2 || len(problems) != 1 || problems[0].Path != ".lessons/large.md" || problems[0].Rule != "too-large" {
		t.Errorf("%d found, %v", len(found), problems)
	}
}

// refusing fails to read some names.
type refusing struct {
	fsx.OS
	name string
}

func (r refusing) ReadFile(name string) ([]byte, error) {
	if strings.HasSuffix(filepath.ToSlash(name), r.name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return r.OS.ReadFile(name)
}

func (r refusing) ReadDir(name string) ([]fs.DirEntry, error) {
	if strings.HasSuffix(filepath.ToSlash(name), r.name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return r.OS.ReadDir(name)
}

func (r refusing) Lstat(name string) (fs.FileInfo, error) {
	if r.name == "lstat" && strings.HasSuffix(name, "a-1234.md") {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrPermission}
	}
	return r.OS.Lstat(name)
}

func TestWhatCannotBeReadHidesNothingElse(t *testing.T) {
	root := tree(t, artifactTree())
	all := Read(fsx.OS{}, root).Artifacts
	for name, lost := range map[string]int{".lessons/a-1234.md": 1, "knowledge/decisions.md": 2, ".claude/commands": 2, ".lessons/skills": 1, "lstat": 1, "knowledge/decisions": 1} {
		some := Read(refusing{name: name}, root)
		found, problems := some.Artifacts, some.Problems
		if len(found) != len(all)-lost {
			t.Errorf("%s: %d of %d", name, len(found), len(all))
		}
		said := 0
		for _, p := range problems {
			if p.Rule == "unreadable" && p.Text == "permission denied" && !strings.Contains(p.Path, root) {
				said++
			}
		}
		if said != 1 {
			t.Errorf("%s: %v", name, problems)
		}
	}
}
