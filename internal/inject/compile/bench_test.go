package compile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/lessons-cli/lessons/internal/inject"
	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// many returns lessons of the kinds that repositories have: commands, files,
// folders, extensions, patterns, keywords.
func many(n int) []*lesson.Lesson {
	var out []*lesson.Lesson
	for i := range n {
		var t lesson.Trigger
		switch i % 10 {
		case 0, 1, 2:
			t = lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{fmt.Sprintf("tool%d run --flag=%d", i/4, i)}, Unless: []string{"--dry-run", "CI=1"}}
		case 3:
			t = lesson.Trigger{Commands: []string{fmt.Sprintf("git sub-%d", i%500)}}
		case 4:
			t = lesson.Trigger{Tools: []string{"Edit", "Write"}, Paths: []string{fmt.Sprintf("pkg%d/**/*.go", i)}}
		case 5:
			t = lesson.Trigger{Paths: []string{fmt.Sprintf("**/file%d.ts", i)}}
		case 6:
			t = lesson.Trigger{Paths: []string{fmt.Sprintf("**/*.x%d", i)}, Content: []string{`TODO\(\w+\)`}}
		case 7:
			t = lesson.Trigger{CommandPatterns: []string{fmt.Sprintf(`\bprog%d\s+.*--x`, i)}}
		case 8:
			t = lesson.Trigger{Tools: []string{"Bash"}, Keywords: []string{fmt.Sprintf("topic%d of work", i)}}
		case 9:
			t = lesson.Trigger{Content: []string{fmt.Sprintf(`\bcall%d\(`, i)}}
		}
		l := warning(fmt.Sprintf("01J%08d", i), t)
		l.Priority = 1 + i%8
		out = append(out, l)
	}
	return append(out, warning("pytest", lesson.Trigger{Tools: []string{"Bash"}, Commands: []string{"pytest"}, Unless: []string{"--no-header"}}))
}

// BenchmarkHookLookup is what a hook does with an index on disk: open it, find
// the lessons of one call.
func BenchmarkHookLookup(b *testing.B) {
	calls := []struct {
		name string
		call inject.Call
		want int
	}{
		{"miss", inject.Call{Tool: "Bash", Command: "cd web && git status --short | head -20", Root: "/repo"}, 0},
		{"match", inject.Call{Tool: "Bash", Command: "cd web && pytest -v tests/unit", Root: "/repo"}, 1},
		{"edit", inject.Call{Tool: "Edit", Paths: []string{"/repo/cmd/app/main.go"}, Content: "func main() {\n\tfmt.Println(1)\n}\n", Root: "/repo"}, 0},
	}
	for _, n := range []int{0, 100, 1000, 10000} {
		data, problems := compile.Compile(own(many(n)...), options())
		if len(problems) > 0 {
			b.Fatal(problems)
		}
		file := filepath.Join(b.TempDir(), "index")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			b.Fatal(err)
		}
		for _, c := range calls {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) {
				for b.Loop() {
					if got := lookup(b, file, c.call); got != c.want {
						b.Fatalf("%d matches", got)
					}
				}
			})
		}
	}
}

func lookup(tb testing.TB, file string, c inject.Call) int {
	f, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	x, err := inject.OpenAt(f, info.Size())
	if err != nil {
		tb.Fatal(err)
	}
	got := len(x.Match(c, inject.Options{}))
	if x.Err() != nil {
		tb.Fatal(x.Err())
	}
	return got
}

// counting counts the bytes that are read of an index.
type counting struct {
	data []byte
	read int
}

func (c *counting) ReadAt(p []byte, off int64) (int, error) {
	c.read += len(p)
	return copy(p, c.data[off:]), nil
}

// Of the lessons a call reads its candidates alone, and besides the table of keys.
func TestLookupReadsLittleOfALargeIndex(t *testing.T) {
	data, _ := compile.Compile(own(many(10000)...), options())
	for _, c := range []inject.Call{bash("cd web && pytest -v tests/unit"), {Tool: "Edit", Paths: []string{"/repo/a/main.go"}, Content: "x := call(1)", Root: "/repo"}} {
		r := &counting{data: data}
		x, err := inject.OpenAt(r, int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		x.Match(c, patient)
		if limit := len(data) / 10; r.read > limit {
			t.Errorf("%d bytes of %d were read, want at most %d", r.read, len(data), limit)
		}
	}
}
