package scan

import "testing"

func TestNormalSalient(t *testing.T) {
	for line, want := range map[string]string{
		"(eval):1: no matches found: plans/14-*/":                                "the shell: no matches found: plans/…-*/",
		"/bin/bash: line 3: .venv/bin/activate: No such file or directory":       "the shell: .venv/bin/activate: No such file or directory",
		"internal/store/cart.go:14:2: undefined: Total":                          "cart.go: undefined: Total",
		"/home/dev/app/src/main.rs:3:5: error[E0308]: mismatched types":          "main.rs: error[E0308]: mismatched types",
		"(fail) cart > adds one [0.29ms]":                                        "(fail) cart > adds one",
		"os/exec.Command must not be called. use os/exec.CommandContext (noctx)": "os/exec.Command must not be called. use os/exec.CommandContext (noctx)",
		"fatal: unrecognized argument: --no-stat":                                "fatal: unrecognized argument: --no-stat",
		"error: pathspec '8312232aa' did not match any file(s) known to git":     "error: pathspec '…' did not match any file(s) known to git",
		"sqlite3.OperationalError: no such table: users":                         "sqlite3.OperationalError: no such table: users",
		`connection to server at "db" (127.0.0.1), port 5432 failed`:             `connection to server at "db" (…), port … failed`,
		"Unsupported class file major version 65":                                "Unsupported class file major version …",
		`ERROR: relation "orders" does not exist`:                                `ERROR: relation "orders" does not exist`,
		"Cannot find module '/srv/app/lib/index.js'":                             "Cannot find module 'index.js'",
	} {
		if got := normalSalient(line); got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
}
