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
	} {
		if _, ok := readPlain(line); !ok {
			t.Errorf("%.80q takes the parser", line)
		}
		samePlain(t, line)
	}
}
