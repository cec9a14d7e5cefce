package shell

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// samePlain says where a line is not read as the parser reads it.
func samePlain(t *testing.T, line string) {
	t.Helper()
	fast, slow := Parse(line), parseWith(line, readParsed)
	if a, b := toJSON(fast), toJSON(slow); a != b {
		t.Errorf("%q\nplain  %s\nparsed %s", line, a, b)
	}
}

func toJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return strings.ReplaceAll(string(b), "[]", "null")
}

// pieces are what command lines are made of, and what makes them hard.
var pieces = []string{
	"git", "ls", "npm run", "a", "FOO=1", "FOO=", "FOO+=1", "A[1]=x", "x=$y", "-v", "--flag=value", "--", "/usr/bin/env", "./run.sh", "sudo -u x", "bash -c", "eval", "timeout 5", "cd", "cd ..", "export A=b", "python3 -m", "xargs", "find . -exec", "{}",
	"'q'", "'a b'", `"q"`, `"a $b"`, `"a\"b"`, `"\$x"`, `"$(ls)"`, `$x`, `$1`, `$?`, `$`, `${x}`, `$(pwd)`, "`date`", `\;`, `\ `, `\`, `\n`, "#", "# note", "a#b", "'#'", "~", "*.go", "a?b", "[ -f x ]", "[[", "a[1]", "{a,b}", "!", "!(x)", "=", "a=b", "=(", "é", "→", "2", "{fd}",
	" ", " ", " ", " ", "\t", "\n", ";", ";;", "&", "&&", "|", "||", "|&", "(", ")", "{", "}", ">", ">>", "<", "<<EOF", "<<<", ">&", "2>&1", "2>", "&>", "&>>", ">|", "<>", "1>&2", "/dev/null", "\r\n", "\\\n", "\x00", "\x01",
	"<<'EOF'\ntext\nEOF\n", "<<EOF\nls $x\nEOF\n", "<< \"E\"\nbash -c 'a b'\nE\n", "<<'E'", "<<E", "\nE\n", "\nE", "$(", "$(", ")", "\"$(", ")\"", "$(cat <<'E'\nit's\nE\n)", "$(<f)", "$((1+2))", "<<-E",
	"if", "then", "fi", "for", "do", "done", "while", "case", "esac", "in", "function", "time", "declare", "local",
}

func TestNoCommentInsideOfASubstitution(t *testing.T) { samePlain(t, `$( "\$x"# ) `) }

func TestPlainLinesAreReadAsParsed(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	plain := slices.DeleteFunc(slices.Clone(pieces), func(s string) bool { return strings.ContainsAny(s, "()`\r\x00\x01{}") })
	for _, of := range [][]string{pieces, plain} {
		for range 20000 {
			var line strings.Builder
			for range 1 + random.IntN(10) {
				line.WriteString(of[random.IntN(len(of))])
				if random.IntN(3) > 0 {
					line.WriteByte(' ')
				}
			}
			samePlain(t, line.String())
		}
	}
}

// TestNestedLinesAreReadAsParsed draws lines with lists inside of lists, most of which
// are whole.
func TestNestedLinesAreReadAsParsed(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var list func(depth int) string
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	item := func(depth int) string {
		if depth == 0 {
			return one(pieces...)
		}
		return one("a", "$x", "'q w'", "-f", "A=$(b)", "2>&1", "> f", "$("+list(depth-1)+")", `"x $(`+list(depth-1)+`)"`, one(pieces...), "<<E", "<<'E'", ">$(a)")
	}
	list = func(depth int) string {
		var b strings.Builder
		for range 1 + random.IntN(3) {
			inner := func() string { return list(max(0, depth-1)) }
			switch kind := random.IntN(12); {
			case depth > 0 && kind == 0:
				b.WriteString("(" + one("", " ") + inner() + ")")
			case depth > 0 && kind == 1:
				b.WriteString("if " + inner() + "; then " + inner() + one("; ", "\n", " ", "; else "+inner()+"; ", "; elif "+inner()+"; then b; ") + "fi")
			case depth > 0 && kind == 2:
				b.WriteString("for i in " + item(depth) + " " + item(depth) + one("; ", "\n", " ", ";\n") + "do " + inner() + "; done")
			case depth > 0 && kind == 3:
				b.WriteString(one("while ", "until ") + inner() + "; do " + inner() + one("; ", "\n", " ") + "done")
			case kind == 4:
				b.WriteString("cat " + one("<<E", "<<'E'", "<< \"E\"") + one("", " > f", " | b", " && c", " "+item(0)) + "\nit's $x\n" + one("E\n", "E\n", "E", "F\n"))
				continue
			default:
				b.WriteString(one("git", "cd", "echo", "bash -c", "sudo") + " " + item(depth) + " " + item(depth))
			}
			b.WriteString(one("; ", "; ", "\n", " && ", " || ", " | ", " & ", "", " ", " # n\n", "#"))
		}
		return b.String() + one("a", "", "b")
	}
	plain := 0
	for range 20000 {
		line := list(2)
		samePlain(t, line)
		if _, ok := readPlain(line); ok {
			plain++
		}
	}
	if plain < 2000 {
		t.Errorf("%d lines are plain", plain)
	}
}

func FuzzPlainLine(f *testing.F) {
	for _, s := range pieces {
		f.Add("a " + s + " b; c " + s)
	}
	for _, c := range programs {
		f.Add(c.line)
	}
	f.Fuzz(samePlain)
}

// TestWhatIsReadWithoutAParser keeps the reader from leaving to the parser what
// agents write all day.
func TestWhatIsReadWithoutAParser(t *testing.T) {
	for _, line := range []string{
		`cd src && FOO=1 go test ./... -run 'Test A' 2>&1 | tail -20`,
		`git commit -m "It's a message" --author="$NAME <a@b>" || true`,
		"grep -rn \"func main\" --include=*.go . 2>/dev/null | head -20 # where\nls",
		"cat > a.yaml <<'EOF'\nname: \"$x\"\nEOF\nkubectl apply -f a.yaml",
		"python3 - <<PY | sort -u\nprint(1)\nPY",
		`for f in src/*.ts; do echo "$f: $(grep -c "case" "$f")"; done; ls`,
		"if [ -f .env ]; then source .env; elif a; then b; else echo none >&2; exit 1; fi && make",
		"while a; do\n  sleep 1 # wait\ndone",
		`(cd src && go build -o app ./cmd/app) && ./app --verbose &`,
		"git commit -m \"$(cat <<'EOF'\nIt's a message\nEOF\n)\"",
	} {
		if _, ok := readPlain(line); !ok {
			t.Errorf("%.80q takes the parser", line)
		}
		samePlain(t, line)
	}
}
