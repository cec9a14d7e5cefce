package migrate

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/internal/inject/compile"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// The table says on which commands JavaScript's expressions match; a trigger
// made of their translation has to fire on the same ones, as a hook would.
func TestTranslatedPatternsMatchAsInJavaScript(t *testing.T) {
	data, err := os.ReadFile("testdata/patterns.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Commands []string
		Rows     []struct {
			Source, Flags string
			Matches       []string
		}
	}
	if err := json.Unmarshal(data, &table); err != nil {
		t.Fatal(err)
	}
	excepted := 0
	for _, row := range table.Rows {
		p, err := Translate(row.Source, row.Flags, JavaScript)
		if err != nil {
			t.Errorf("%s: %v", row.Source, err)
			continue
		}
		if len(p.Unless) > 0 {
			excepted++
		}
		fires, problems := compile.Matcher(&lesson.Trigger{Tools: []string{"Bash"}, CommandPatterns: []string{p.Source}, Unless: p.Unless})
		if len(problems) > 0 {
			t.Errorf("%s: %v", row.Source, problems)
			continue
		}
		for _, command := range table.Commands {
			if got, want := fires(command), slices.Contains(row.Matches, command); got != want {
				t.Errorf("%s on %q: %v, JavaScript says %v (%+v)", row.Source, command, got, want, p)
			}
		}
		if len(row.Matches) == 0 {
			t.Errorf("%s matches nothing in the table", row.Source)
		}
	}
	if excepted < 8 {
		t.Errorf("%d rows of the table have an exception", excepted)
	}
}

func TestTranslate(t *testing.T) {
	cases := []struct {
		source, flags string
		dialect       Dialect
		want          string
		unless        []string
		refused       string
	}{
		{source: `\bls\b`, want: `\bls\b`},
		{source: `ls`, flags: "gi", want: `(?i)ls`},
		{source: `a(?!b|c)`, want: `a`, unless: []string{`a(?:b|c)`}},
		{source: `^(?!x)y`, want: `^y`, unless: []string{`^(?:x)`}},
		{source: `a(?!b)(?!c)`, flags: "i", want: `(?i)a`, unless: []string{`(?i)a(?:b)`, `(?i)a(?:c)`}},
		{source: `(?<!b)a`, want: `a`, unless: []string{`(?:b)a`}},
		{source: `a(?=b)`, want: `a(?:b)`},
		{source: `[(?!]a`, want: `[(?!]a`},
		{source: `\(?!a`, want: `\(?!a`},
		{source: `\u00e9\_`, want: `\x{00e9}_`},
		{source: `a\Z`, dialect: Python, want: `a\z`},
		{source: `(?P<n>a)`, dialect: Python, want: `(?P<n>a)`},
		{source: `(?P<n>a)(?P=n)`, dialect: Python, refused: "no counterpart"},
		{source: `(a)\1`, refused: "reference"},
		{source: `a|b(?!c)`, refused: "alternatives"},
		{source: `(a(?!b))`, refused: "inside of a group"},
		{source: `(?!a(?!b))c`, refused: "inside of"},
		{source: `a(?!b)*`, refused: "repeated"},
		{source: `a\w+(?!b)`, refused: "several places"},
		{source: `a(?=b)c`, refused: "this place"},
		{source: `a(`, refused: "missing"},
		{source: `a)`, refused: "too many"},
		{source: `[`, refused: "RE2"},
		{source: `a`, flags: "y", refused: "flag"},
		{source: `a[^]b`, refused: "counterpart"},
	}
	for _, c := range cases {
		p, err := Translate(c.source, c.flags, c.dialect)
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: %+v, %v; want an error with %q", c.source, p, err, c.refused)
			}
			continue
		}
		if err != nil || p.Source != c.want || !slices.Equal(p.Unless, c.unless) {
			t.Errorf("%s: %+v, %v", c.source, p, err)
		}
	}
}

func FuzzTranslate(f *testing.F) {
	f.Add(`^(?!.*x)a(?=b)`, "i")
	f.Add(`\bgit\s+stash\b(?!.*(-u|--all))`, "")
	f.Fuzz(func(t *testing.T, source, flags string) {
		for _, d := range []Dialect{JavaScript, Python} {
			p, err := Translate(source, flags, d)
			if err != nil {
				continue
			}
			for _, text := range append([]string{p.Source}, p.Unless...) {
				if readable(text) != nil {
					t.Errorf("%q became %q, which RE2 cannot read", source, text)
				}
			}
		}
	})
}

func TestGlobs(t *testing.T) {
	cases := []struct {
		convert func(string) ([]string, error)
		in      string
		want    string // joined by blanks; empty: refused
	}{
		{GlobsOfRegexp, `.*/[^/]*\.ts$`, "**/*.ts"},
		{GlobsOfRegexp, `\.env`, "**/*.env* **/*.env*/**"},
		{GlobsOfRegexp, `\.(ts|tsx)$`, "**/*.ts **/*.tsx"},
		{GlobsOfRegexp, `.*\.(?:ts|tsx)$`, "**/*.ts **/*.tsx"},
		{GlobsOfRegexp, `\.tsx?$`, "**/*.tsx **/*.ts"},
		{GlobsOfRegexp, `(?:^|/)go\.mod$`, "**/go.mod"},
		{GlobsOfRegexp, `.*/migrations/.*`, "**/migrations/**"},
		{GlobsOfRegexp, `/\.env$`, "**/.env"},
		{GlobsOfRegexp, `^docs/`, "docs/**"},
		{GlobsOfRegexp, `src/.*_test\.go$`, ""},
		{GlobsOfRegexp, `^(?!x/).*\.md$`, ""},
		{GlobsOfRegexp, `.*`, ""},
		{GlobsOfRegexp, `a+b`, ""},
		{GlobOfFnmatch, `*.py`, "**/*.py"},
		{GlobOfFnmatch, `src/*.py`, "src/**/*.py"},
		{GlobOfFnmatch, `*/plugin.json`, "**/plugin.json"},
		{GlobOfFnmatch, `./src\*.[!c]`, "src/**/*.[^c]"},
		{GlobOfFnmatch, `/etc/*`, ""},
		{Glob, `*.go`, "**/*.go"},
		{Glob, `src/*.go`, "src/*.go"},
		{Glob, `~/x`, ""},
	}
	for _, c := range cases {
		got, err := c.convert(c.in)
		if joined := strings.Join(got, " "); joined != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", c.in, joined, err, c.want)
		}
	}
}
