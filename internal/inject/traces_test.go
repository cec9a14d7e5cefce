package inject

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/lessons-cli/lessons/internal/shell"
)

func TestWhatALinesSuccessProves(t *testing.T) {
	for line, want := range map[string]string{
		"go test ./...":                                 "go test",
		"cd x && go test ./...":                         "cd, go test",
		"go test ./... 2>&1 | tail -20":                 "(go test), tail",
		"set -o pipefail; go test ./... | tail":         "(set), go test, tail",
		"set -euo pipefail\ngo test ./... | tail\necho": "(set), go test, tail, echo",
		"go test ./... || true":                         "(go test), (true)",
		"go test ./...; echo done":                      "(go test), echo",
		"! go test":                                     "(go test)",
		"go test &":                                     "(go test)",
		"(cd a; go test)":                               "(cd), go test",
		"{ go vet; go test; }":                          "(go vet), go test",
		"if go test; then echo; fi":                     "(go test), (echo)",
		"for p in a b; do go test $p; done":             "(go test)",
		"timeout 60 go test":                            "go test",
		"CI=1 sudo env A=b go test":                     "go test",
		"bash -c 'go test'":                             "go test",
		"bash -c 'go test || true'":                     "(go test), (true)",
		"bash -c '! go test'":                           "(go test)",
		"pytest --version":                              "",
		"pytest --collect-only -q":                      "",
		"echo 'go test'":                                "echo",
		"git commit -m 'go test'":                       "git commit",
		"cat <<E\ngo test\nE":                           "cat",
		"time go test":                                  "go test",
		"f() { go test; }":                              "",
		"f() { go test; }; f":                           "(go test)",
		"go test || exit 1":                             "go test, (exit)",
		"go test || exit 0":                             "(go test), (exit)",
		"export A=1; go test":                           "go test",
		"bash -c 'go vet && go test'":                   "go vet, go test",
		"find . -exec go test {} \\;":                   "(go test)",
		"echo $(go test)":                               "echo",
		"go test $(go list ./... | grep a)":             "go test",
		"diff <(go test) \"`go vet`\"":                  "diff",
		"":                                              "",
		"go test \"":                                    "go test",
		"set -e; set +e; go test; true":                 "(set), set, (go test), true",
		"set -e; go vet && go test; true":               "(set), (go vet), (go test), true",
	} {
		var got []string
		for _, r := range OpenSession(Places{}, "s", "").Runs(line) {
			name := r.Name
			if r.Masked {
				name = "(" + name + ")"
			}
			got = append(got, name)
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%q: %s, want %s", line, s, want)
		}
	}
}

func TestARunIsWhatAGateAsksFor(t *testing.T) {
	s := OpenSession(Places{}, "s", "")
	for _, c := range []struct {
		ran, want string
		ok        bool
	}{
		{"go test ./...", "go test", true},
		{"go test ./...", "go test ./...", true},
		{"go test -race ./...", "go test ./...", true},
		{"go test ./a", "go test ./...", false},
		{"go test -count=1 ./...", "go test -count=1", true},
		{"go test -count=2 ./...", "go test -count=1", false},
		{"go vet ./...", "go test ./...", false},
		{"npm run test", "npm run", true},
		{"npm run tests", "npm run test", false},
		{"grep pytest", "pytest", false},
		{"python -m pytest -q", "pytest", true},
	} {
		want := shell.Parse(c.want).All
		got := false
		for _, r := range s.Runs(c.ran) {
			got = got || s.ran(r, want[len(want)-1])
		}
		if got != c.ok {
			t.Errorf("%q for %q: %v", c.ran, c.want, got)
		}
	}
}

func TestTracesHoldNoCommandLines(t *testing.T) {
	p := Places{GitDir: t.TempDir()}
	s := OpenSession(p, "the-session", "")
	secret := "hunter" + "2hunter2"
	runs := s.Runs("curl -H 'Authorization: " + secret + "' https://" + secret + "@host --token=" + secret + " && '" + secret + " x'")
	if err := s.Note(Trace{At: 1, Act: ActRun, Tool: "Bash", Runs: runs, Paths: []string{"/etc/" + secret, "../" + secret, "src/a.go"}}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(p.GitDir, "lessons", "sessions", s.key, tracesFile))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), secret) || strings.Contains(string(data), "the-session") || !strings.Contains(string(data), "src/a.go") {
		t.Errorf("%s", data)
	}
}

func TestTracesOfManyProcessesAreWhole(t *testing.T) {
	p := Places{GitDir: t.TempDir()}
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			s := OpenSession(p, "s", fmt.Sprint(i))
			for range 20 {
				if err := s.Note(Trace{At: 1, Act: ActWrite, Paths: []string{"a"}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(OpenSession(p, "s", "").Traces()); n != 640 {
		t.Errorf("%d traces", n)
	}
}

func TestTracesAreBounded(t *testing.T) {
	p := Places{GitDir: t.TempDir()}
	s := OpenSession(p, "s", "")
	long := strings.Repeat("x", 200)
	var many []Trace
	for range 500 {
		many = append(many, Trace{At: 1, Act: ActWrite, Paths: []string{long, long + "1", long + "2"}})
	}
	for range 10 {
		if err := s.Note(many...); err != nil {
			t.Fatal(err)
		}
	}
	last := Trace{At: 2, Act: ActRead, Paths: []string{"last"}}
	if err := s.Note(last); err != nil {
		t.Fatal(err)
	}
	got := s.Traces()
	if len(got) > tracesTail/400 || len(got) < 100 || got[len(got)-1].At != 2 {
		t.Errorf("%d traces", len(got))
	}
	dir := filepath.Join(p.GitDir, "lessons", "sessions", s.key)
	for _, name := range []string{tracesFile, tracesOld} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Size() > 2*maxTraceFile {
			t.Errorf("%s has %d bytes", name, info.Size())
		}
	}
	huge := Trace{Act: ActRun, Runs: s.Runs(strings.Repeat("a -b c d e f g h i j k l m n o p q r s t u v w x y z && ", 400) + "z")}
	if line, err := huge.line(); err != nil || len(line) > maxTraceLine+1 {
		t.Errorf("a line of %d bytes, %v", len(line), err)
	}
}

func FuzzParseTraces(f *testing.F) {
	f.Add([]byte(`{"at":1,"act":"run","runs":[{"name":"go test"}]}` + "\n{"))
	f.Add([]byte("null\n[]\n{\"act\":1}\n\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, tr := range ParseTraces(data) {
			if line, err := tr.line(); err != nil || len(line) > 2*maxTraceLine && len(tr.Runs) > 0 {
				t.Errorf("%d bytes, %v", len(line), err)
			}
		}
	})
}

func FuzzRuns(f *testing.F) {
	for _, line := range []string{"a && b | c; d", "if a; then b; fi", "bash -c 'a'", "a <<E\nb\nE", "(((", "a $(b) `c`"} {
		f.Add(line)
	}
	s := OpenSession(Places{}, "s", "")
	f.Fuzz(func(t *testing.T, line string) {
		if n := len(s.Runs(line)); n > maxRuns {
			t.Errorf("%d runs", n)
		}
	})
}
