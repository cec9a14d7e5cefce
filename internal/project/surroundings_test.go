package project_test

import (
	"context"
	"testing"

	"github.com/lessons-cli/lessons/internal/test/gittest"
)

func TestSurroundingsNameWhatIsThere(t *testing.T) {
	r := gittest.New(t)
	for path, text := range map[string]string{
		"cmd/app/main.go":  "package main\n",
		"scripts/publish":  "#!/bin/sh\n",
		"LICENSE":          "free\n",
		"package.json":     `{"scripts":{"lint:fix":"x"},"dependencies":{"@scope/kit":"1"},"devDependencies":{"vitest":"2"}}`,
		"go.mod":           "module example.org/app\n\nrequire example.org/one/v2 v2.1.0\n\nrequire (\n\tgithub.com/team/tool v1.0.0 // indirect\n)\n",
		"Makefile":         "PREFIX := /usr\ncheck-all: build\n\t@echo x\n",
		"requirements.txt": "# all\nrequests==2.0\n",
		"Cargo.toml":       "[package]\nname = \"app\"\n[dependencies]\nserde = \"1\"\ntokio = { version = \"1\" }\n",
		"pyproject.toml":   "[project]\nname = \"app\"\ndependencies = [\n  \"httpx>=0.2\",\n]\n",
		"AGENTS.md":        "Run `make check-all` first.\n",
	} {
		r.Write(path, text)
	}
	r.Git("add", "-A")
	r.Write("untracked.txt", "x")
	around := openProject(t, r.Dir, later).Surroundings(context.Background())
	for name, want := range map[string]bool{
		"cmd/app/main.go": true, "./cmd/app/": true, "cmd": true, "main.go": true, "LICENSE": true, "lint:fix": true, "@scope/kit": true, "vitest": true,
		"example.org/one/v2": true, "one": true, "tool": true, "check-all": true, "requests": true, "serde": true, "tokio": true, "httpx": true,
		"untracked.txt": false, "publish": false, "PREFIX": false, "version": false, "name": false, "other.go": false, "": false,
	} {
		if got := around.Has(name); got != want {
			t.Errorf("Has(%q) = %v", name, got)
		}
	}
	if len(around.Docs) != 1 || around.Docs[0] != " run make check all first " {
		t.Errorf("docs %q", around.Docs)
	}
}
