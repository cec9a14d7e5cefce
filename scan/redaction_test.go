package scan

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge/observe"
	"github.com/lessons-cli/lessons/scan/transcript"
)

// fakeKey is built here, so that no file of the repository holds what looks
// like a key.
var fakeKey = "gh" + "p_" + strings.Repeat("aB3dE6gH9", 4)

// holdsKey says how much of the key stands in data; less than 13 characters are
// nobody's secret.
func holdsKey(data []byte) int {
	for n := len(fakeKey); n > 12; n-- {
		if bytes.Contains(data, []byte(fakeKey[:n])) {
			return n
		}
	}
	return 0
}

// storedOf is all that a scan of a story gives out, by name.
func storedOf(t *testing.T, s story, least int) map[string][]byte {
	t.Helper()
	r := scanAll(t, Input{Files: []File{memory("/home/dev/.claude/a.jsonl", claudeFile("s1", s.events()))}})
	if n := len(r.Log.Observations()); n < least {
		t.Fatalf("learned %d observations, the test needs %d", n, least)
	}
	candidates, _ := json.Marshal(r.Candidates)
	problems, _ := json.Marshal(r.Problems)
	return map[string][]byte{"log": r.Log.Bytes(), "candidates": candidates, "state": r.State, "problems": problems}
}

func TestNothingSecretIsStored(t *testing.T) {
	stored := storedOf(t, story{
		user("let's use the token " + fakeKey + " because it works"),
		says("#lesson\ntool: Bash\ntrigger: curl -H 'Authorization: Bearer " + fakeKey + "'\nmistake: the key leaked\nfix: use " + fakeKey + " elsewhere\n#/lesson"),
		bash("rm x", transcript.Rejected, "never use "+fakeKey),
		says(process("type: warning", "title: "+fakeKey, "warning: {risk: "+fakeKey+"}", "triggers: {commands: [x "+fakeKey+"]}")),
		edit("/home/dev/app/secret.go", "", fakeKey+"\n"),
	}, 4)
	for name, data := range stored {
		if n := holdsKey(data); n > 0 {
			t.Errorf("the %s hold %d characters of a key", name, n)
		}
		if name == "log" && bytes.Contains(data, []byte("/home/dev")) {
			t.Error("the log holds the home directory")
		}
	}
}

func TestFailureMessagesAreNotRedacted(t *testing.T) {
	stored := storedOf(t, story{
		bash("gh api --token "+fakeKey+" /x", fail, "Exit code 1\nunknown flag: --token "+fakeKey),
		bash("GH_TOKEN="+fakeKey+" gh api /x", ok, "{}"),
		bash("psql "+fakeKey, transcript.TimedOut, "Exit code 143\nCommand timed out after 2m: "+fakeKey),
	}, 2)
	for name, data := range stored {
		if n := holdsKey(data); n > 0 {
			t.Errorf("a failure message took %d characters of a key into the %s", n, name)
		}
	}
}

func TestRedactionAfterTruncationLetsHalfAKeyThrough(t *testing.T) {
	for _, limit := range []int{maxTitle, maxQuote, maxText, maxItem, keepBytes / 2, keepBytes} {
		for shift := 4; shift < len(fakeKey); shift += 12 {
			text := strings.Repeat("ab ", limit/3+1)[:max(0, limit-shift)] + " " + fakeKey + " and more words after it"
			stored := storedOf(t, story{
				says("#lesson\nmistake: " + strings.ReplaceAll(text[max(0, len(text)-2000):], "\n", " ") + "\nfix: " + text[max(0, len(text)-2000):] + "\n#/lesson"),
				bash("rm x", transcript.Rejected, "never "+text),
				bash("gh x --stat", fail, "Exit code 1\nunknown flag: --stat\n"+text),
				bash("gh x", ok, "fine"),
			}, 2)
			for name, data := range stored {
				if n := holdsKey(data); n > 0 {
					t.Errorf("cut at %d-%d, the %s hold %d characters of a key", limit, shift, name, n)
				}
			}
		}
	}
}

func TestPathsOfTheRepositoryAreStoredRelative(t *testing.T) {
	s := story{
		user("write a"), edit("/home/dev/app/src/a.go", "", "func a() {\n\treturn errors.New(\"x\")\n}\n"), user("no, use the sentinel error instead"),
		edit("/home/dev/app/src/a.go", "func a() {\n\treturn errors.New(\"x\")\n}\n", "func a() {\n\treturn ErrX\n}\n"),
		says("#lesson\ntool: Edit\ntrigger: /home/dev/app/gen/api.ts\nmistake: /home/dev/app/gen/api.ts is generated\nfix: edit /home/dev/app/api.yaml\n#/lesson"),
		says("#lesson\ntool: Edit\ntrigger: /etc/hosts\nmistake: it is another machine's\nfix: leave it\n#/lesson"),
	}
	r := scanAll(t, Input{Files: []File{memory("/s/a.jsonl", claudeFile("s1", s.events()))}, Root: "/home/dev/app"})
	areas := map[string]bool{}
	for _, o := range r.Log.Observations() {
		areas[observe.ParseDetails(o.Details)["area"]] = true
	}
	if len(r.Log.Observations()) != 3 || !areas["src/a.go"] || !areas["gen/api.ts"] || !areas[""] {
		t.Errorf("areas %v", areas)
	}
	if log := r.Log.Bytes(); bytes.Contains(log, []byte("/app/")) || bytes.Contains(log, []byte("~/app")) {
		t.Errorf("the log names a place of this machine:\n%s", log)
	}
}

// A word that was drawn stands for nothing once the word before it is gone.
func TestWordsWithoutANameAreLeftOut(t *testing.T) {
	drawn := "vcmfue0016" + "g63y4y132rejafslwxi8i7"
	for text, want := range map[string]string{
		"Use `" + drawn + ",` instead of `=`":     "Use `…` instead of `=`",
		"Use `--zone` instead of `--region`":      "Use `--zone` instead of `--region`",
		"`git show " + drawn + "` fails":          "`git show " + drawn + "` fails",
		"no code, " + drawn:                       "no code, " + drawn,
		"an open ` and " + drawn:                  "an open ` and " + drawn,
		"`kubernetes-client-python-2026` is gone": "`kubernetes-client-python-2026` is gone",
	} {
		if got := nameless(text); got != want {
			t.Errorf("%q gives %q", text, got)
		}
	}
	two := "`" + drawn + "`"
	if got, want := nameless(two+" and "+two+", ``, `a "+drawn+"`"), "`…` and `…`, ``, `a "+drawn+"`"; got != want {
		t.Errorf("of two is left %q, want %q", got, want)
	}
}
