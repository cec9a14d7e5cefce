package stale

import (
	"strings"
	"testing"
)

func TestReferences(t *testing.T) {
	for text, want := range map[string]string{
		"see `cmd/app/main.go:12` and docs/guide.md.":          "path cmd/app/main.go, path docs/guide.md",
		"call `ParseConfig()` before `store.LoadAll`":          "path store.LoadAll, symbol ParseConfig, symbol LoadAll",
		"run `make bench`, or `npm run build:all`":             "target Makefile#bench, target package.json#build:all",
		"the word `error` and `true` and `string` say nothing": "",
		// What looks like a path and is none costs nothing: git knows no such file.
		"https://example.org/a/b.html is elsewhere":      "",
		"/etc/passwd, ~/x.txt and ../up.go are not ours": "",
		"use snake_case_name, not in backticks":          "",
		"`snake_case_name` in backticks":                 "symbol snake_case_name",
		"the folder internal/store/ holds it":            "path internal/store",
		"- **Area**: pkg/cache":                          "path pkg/cache",
	} {
		var got []string
		for _, r := range References(text) {
			got = append(got, string(r.Kind)+" "+r.Name)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: %q, want %q", text, strings.Join(got, ", "), want)
		}
	}
}

func FuzzReferences(f *testing.F) {
	f.Add("see `a/b.go:1` and `Foo()`\n`make x`")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range References(text) {
			if r.Name == "" || strings.Contains(r.Name, "..") && strings.HasPrefix(r.Name, "..") || r.Line < 1 {
				t.Errorf("%+v", r)
			}
		}
	})
}

func TestWhereSomethingCameFromIsNoReference(t *testing.T) {
	text := "- **Context**: see docs/a.md\n- **Imported**: adr docs/adr/0001-x.md\nimported: \"triads .claude/graphs/x.json a\"\n"
	if got := References(text); len(got) != 1 || got[0].Name != "docs/a.md" {
		t.Errorf("%+v", got)
	}
}
