package gitdir

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lessons-cli/lessons/internal/test/gittest"
)

// TestConfigurationFilesAreReadAsGitDoes compares the parser with git's.
func TestConfigurationFilesAreReadAsGitDoes(t *testing.T) {
	cases := []string{
		"[core]\n\tbare = false\n\tworktree = ../x y\n",
		"[core] bare\n",
		"[Core]BARE=True\n[core]bare\n; comment\n# comment\n",
		"[core]\n worktree = \"  quoted # not a comment \" # comment\n",
		"[core]\n worktree = a\\\n b\n bare = x\n",
		"[core]\n worktree = a \\\"b\\\" \\\\ \\t|\\n|\n",
		"[core]\n worktree = a;b\n",
		"[core]\n worktree = a \"b ; c\" d ; e\n",
		"[remote \"a \\\"b\\\\c\"]\n url = x\n[Branch.Main]\n x = y\n",
		"[extensions]\r\n\tworktreeConfig = true\r\n",
		"\ufeff[core]\n bare = true",
		"[core]\n worktree =\n bare =   \n",
		"[a]\n k-1 = v\n[b]\n",
		"[include]\n path = /nowhere\n[core]\n bare = true\n",
	}
	g := gittest.At(t, t.TempDir())
	for _, text := range cases {
		g.Write("file", text)
		want := strings.Split(strings.TrimSuffix(g.Git("config", "--no-includes", "--file", "file", "--list", "-z"), "\x00"), "\x00")
		settings, err := parseConfig([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var got []string
		for _, s := range settings {
			name := s.section + "." + s.key
			if s.sub != "" {
				name = s.section + "." + s.sub + "." + s.key
			}
			if !s.bare {
				name += "\n" + s.value
			}
			got = append(got, name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-git +ours):\n%s", text, diff)
		}
	}
	for _, text := range []string{"[core", "[core]\n= x\n", "[core]\n a b\n", "[a \"b\n\"]\n", "[core]\n x = \"a\n", "[core]\n x = \\q\n"} {
		g.Write("file", text)
		if _, err := g.TryGit("config", "--file", "file", "--list"); err == nil {
			t.Errorf("git accepts %q", text)
		}
		if _, err := parseConfig([]byte(text)); err == nil {
			t.Errorf("accepted: %q", text)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("[core]\n\tbare = false\n\tworktree = \"a b\" \\\n c ; d\n[x \"y\"] z\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		settings, err := parseConfig(data)
		if err != nil {
			return
		}
		for _, s := range settings {
			if s.section == "" || s.key == "" || s.key != strings.ToLower(s.key) || (s.bare && s.value != "") {
				t.Fatalf("%+v", s)
			}
		}
	})
}
