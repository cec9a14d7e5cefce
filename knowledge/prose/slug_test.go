package prose

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/internal/test/kit"
)

func TestSlugs(t *testing.T) {
	for title, want := range map[string]string{
		"Use Result types instead of thrown errors": "use-result-types-instead-of-thrown-errors",
		"Don't `git add -A`!":                       "dont-git-add-a",
		"Größe über Straße, café, naïve":            "groesse-ueber-strasse-cafe-naive",
		"Łódź – Şişli – Đà Nẵng":                    "lodz-sisli-da-nang",
		"Привет мир":                                "privet-mir",
		"cafe\u0301 latte":                          "cafe-latte",
		"../../etc/passwd":                          "etc-passwd",
		"CON":                                       "con-note",
		"com1":                                      "com1-note",
		"LPT9":                                      "lpt9-note",
		"nul.txt":                                   "nul-txt",
		"  --a--  ":                                 "a",
		"Keep the rate limit counters in Redis instead of Postgres":                        "keep-the-rate-limit-counters-in-redis",
		"Don't ever edit files in db/migrations that were already released; add a new one": "dont-ever-edit-files-in-db-migrations",
		"Never push to main directly, always open a pull request with gh":                  "never-push-to-main-directly",
		"Always run make lint before you commit, the hook takes forever otherwise":         "always-run-make-lint-before-you-commit",
		"Node.js 22 is what all of the services must be built with from now on":            "node-js-22-is-what-all-of-the-services",
		"Keep all of the settings of services in x.yaml and nowhere else at all":           "keep-all-of-the-settings-of-services-in-x-yaml",
		strings.Repeat("word ", 30): "word-word-word-word-word-word-word-word-word-word",
		strings.Repeat("x", 80):     strings.Repeat("x", 50),
	} {
		if got := Slug(title); got != want {
			t.Errorf("Slug(%q) = %q, want %q", title, got, want)
		}
	}
	if a, b := Slug("日本語"), Slug("中文"); a == b || !strings.HasPrefix(a, "note-") {
		t.Errorf("titles without ASCII: %q and %q", a, b)
	}
}

func TestSlugsAreSafeNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.OneOf(rapid.String(), kit.HostileText()).Draw(t, "title")
		slug := Slug(title)
		if slug == "" || len(slug) > 50+len("-note") || strings.Trim(slug, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" ||
			strings.HasPrefix(slug, "-") || strings.HasSuffix(slug, "-") || strings.Contains(slug, "--") || reservedName(slug) {
			t.Fatalf("Slug(%q) = %q", title, slug)
		}
		if Slug(title) != slug || Slug(slug) != slug {
			t.Fatalf("Slug(%q) is not stable: %q", slug, Slug(slug))
		}
	})
}
