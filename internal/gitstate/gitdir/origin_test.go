package gitdir

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOriginIsOneForAllProtocols(t *testing.T) {
	for url, want := range map[string]string{
		"https://example.org/team/app.git":         "example.org/team/app",
		"https://dev@example.org/team/app":         "example.org/team/app",
		"git@example.org:team/app.git":             "example.org/team/app",
		"ssh://git@example.org/team/app.git/":      "example.org/team/app",
		"/srv/git/app.git":                         "/srv/git/app",
		`C:\\git\\app`:                             `C:\git\app`,
		"../app":                                   "../app",
		"https://example.org/team/app@v2/part.git": "example.org/team/app@v2/part",
	} {
		dir := t.TempDir()
		config := "[core]\n\tbare = false\n[remote \"other\"]\n\turl = x\n[remote \"origin\"]\n\turl = " + url + "\n"
		if err := os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Origin(dir); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	if got := Origin(t.TempDir()); got != "" {
		t.Errorf("without a configuration: %q", got)
	}
}
