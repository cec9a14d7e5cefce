package inject

import "testing"

func TestReplaceWords(t *testing.T) {
	for _, c := range []struct{ line, from, to, want string }{
		{"go test -timeout=30 ./...", "-timeout=30", "-timeout=30s", "go test -timeout=30s ./..."},
		{"go test -timeout=30s ./...", "-timeout=30", "-timeout=30s", "go test -timeout=30s ./..."},
		{"go test -timeout=30 && go test -timeout=30", "-timeout=30", "-timeout=30s", "go test -timeout=30s && go test -timeout=30s"},
		{"bash -c 'python x.py'", "python", "python3", "bash -c 'python3 x.py'"},
		{"python-config; python", "python", "python3", "python-config; python3"},
		{"xx x", "x", "y", "xx y"},
		{"x", "x", "y", "y"},
		{"", "x", "y", ""},
		{"npm test -- --watch", "test -- --watch", "test", "npm test"},
	} {
		if got := replaceWords(c.line, c.from, c.to); got != c.want {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
}

func TestReplacementIsTwoTexts(t *testing.T) {
	for _, bad := range []any{"a", []any{"a"}, []any{"a", "a"}, []any{"a", "b", "c"}, []any{"a", 1}, nil} {
		if _, err := replacement(bad); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
	g, err := ParseRequire(map[string]any{"replace": []any{"a", "b"}}, "")
	if err != nil || len(g.Replace) != 2 {
		t.Errorf("%+v, %v", g, err)
	}
}
