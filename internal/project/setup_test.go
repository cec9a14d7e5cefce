package project_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/project"
)

// tree is a work tree in memory; nil bytes stand for no file.
type tree map[string][]byte

func (t tree) read(path string) ([]byte, error) { return t[path], nil }

func (t tree) apply(steps []project.Step) tree {
	after := tree{}
	for p, text := range t {
		after[p] = text
	}
	for _, s := range steps {
		if s.After == nil {
			delete(after, s.Path)
			continue
		}
		after[s.Path] = s.After
	}
	return after
}

func (t tree) equal(o tree) bool {
	if len(t) != len(o) {
		return false
	}
	for p, text := range t {
		if other, ok := o[p]; !ok || !bytes.Equal(text, other) {
			return false
		}
	}
	return true
}

var trees = map[string]tree{
	"empty": {},
	"usual": {
		".gitignore":            []byte("/bin/\n*.log\n"),
		".claude/settings.json": []byte("{\n  \"model\": \"opus\"\n}\n"),
	},
	"no final newline, line ends of Windows": {
		".gitignore":            []byte("/bin/\r\n*.log"),
		".claude/settings.json": []byte("{\r\n\t\"hooks\" : { \"Stop\":[] } }"),
	},
	"empty files": {".gitignore": []byte{}, ".claude/settings.json": []byte{}},
	"a README of their own": {
		".lessons/README.md": []byte("# Ours\n"),
	},
}

func options() project.SetupOptions {
	return project.SetupOptions{Clients: []*agent.Client{agent.Claude}, Layout: "book"}
}

func TestInitThenUninstallIsByteIdentical(t *testing.T) {
	for name, before := range trees {
		for _, unhide := range [][]string{nil, {"/.lessons/", "/.memory/"}} {
			t.Run(name, func(t *testing.T) {
				o := options()
				o.Unhide = unhide
				steps, err := project.PlanInit(before.read, o)
				if err != nil {
					t.Fatal(err)
				}
				with := before.apply(steps)
				again, err := project.PlanInit(with.read, options())
				if err != nil || len(again) > 0 {
					t.Errorf("a second init changes %v (%v)", again, err)
				}
				record := project.ParseRecord(nil)
				record.Remember(steps)
				out, notes, err := project.PlanUninstall(with.read, project.ParseRecord(record.Bytes()), options().Clients, false)
				if err != nil {
					t.Fatal(err)
				}
				if after := with.apply(out); !after.equal(before) {
					t.Errorf("left %q\nwant %q (notes %v)", after, before, notes)
				}
			})
		}
	}
}

func TestUninstallWithoutTheRecordTakesOutItsOwnPart(t *testing.T) {
	for name, before := range trees {
		t.Run(name, func(t *testing.T) {
			steps, err := project.PlanInit(before.read, options())
			if err != nil {
				t.Fatal(err)
			}
			with := before.apply(steps)
			out, _, err := project.PlanUninstall(with.read, project.ParseRecord(nil), options().Clients, false)
			if err != nil {
				t.Fatal(err)
			}
			for p, text := range with.apply(out) {
				if strings.Contains(string(text), "lessons hook") || strings.Contains(string(text), ">>> lessons") {
					t.Errorf("%s still has %q", p, text)
				}
			}
			if _, ok := before[".lessons/README.md"]; ok && with.apply(out)[".lessons/README.md"] == nil {
				t.Error("their own README was taken")
			}
		})
	}
}

func TestUninstallKeepsSettingsBesideKnowledge(t *testing.T) {
	steps, err := project.PlanInit(tree{}.read, options())
	if err != nil {
		t.Fatal(err)
	}
	with := tree{}.apply(steps)
	out, notes, err := project.PlanUninstall(with.read, project.ParseRecord(nil), options().Clients, true)
	if err != nil {
		t.Fatal(err)
	}
	after := with.apply(out)
	if after[project.ConfigPath] == nil || after[project.ReadmePath] == nil || len(notes) != 2 {
		t.Errorf("left %v, notes %v", after, notes)
	}
}

func TestChooseLayout(t *testing.T) {
	for _, c := range []struct {
		asked string
		books bool
		want  string
	}{
		{"", false, "files"},
		{"", true, "book"}, // where books are, books stay
		{"book", false, "book"},
		{"files", true, "files"},
	} {
		got, why := project.ChooseLayout(c.asked, c.books)
		if got != c.want || why == "" {
			t.Errorf("%+v: %s, %q", c, got, why)
		}
	}
}
