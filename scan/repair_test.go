package scan

import "testing"

// What a compiler or a test finds is about it, and not about what runs behind it.
func TestFindingsBelongToWhatReportsThem(t *testing.T) {
	const found = "Exit code 1\n# example.org/cache\ncache/map.go:198:13: undefined: mapped"
	for _, test := range []struct{ command, says, want string }{
		{"git stash && go vet ./cache/... 2>&1; git stash pop", found, "go vet"},
		{"git checkout -q -B rewrite main\ngo build ./... 2>&1 | head -3\ngit commit -qm x", found, "go build"},
		{"npm run build; git status --short", "Exit code 1\nsrc/a.ts:3:1 - error TS2304: Cannot find name 'b'.", "npm run build"},
		{"go vet ./...; ./deploy.sh", "Exit code 1\nError: deploy.sh: no such stage", "deploy.sh"},
		{"go build ./... && git push", "Exit code 1\nerror: failed to push some refs to 'origin'", "git push"},
		{"task fmt && task lint && task test", "Exit code 1\ntask: Failed to run task \"lint\"\na.go:9:2: parse - n is unused (unparam)", "task lint"},
		{"npx eslint . && npx prettier --check .", "Exit code 1\n12:9  error  'n' is never used  no-unused-vars", "eslint"},
	} {
		f := faultIn(test.command, test.says)
		w := new(Window)
		for _, e := range (story{bash(test.command, fail, test.says)}).events() {
			w.Push(&e)
		}
		if got := faulty(w.Call(w.Last()).line(), f); got == nil || got.Name() != test.want {
			t.Errorf("%s: %v, want %s (%v %q)", test.command, got.Name(), test.want, f.class, f.salient)
		}
	}
}
