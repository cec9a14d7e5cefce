package scan

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestStateKeepsWhatItDoesNotKnow(t *testing.T) {
	in := `{"version":1,"lastScanAt":"2026-03-01T00:00:00Z","colour":"red","files":{"/a":{"byteOffset":10,"resumeOffset":5,"resumeLine":1,"sizeBytes":10,"mtimeMs":7,"mood":"good","foreign":true}}}`
	s, problems := parseState("scan-state.json", []byte(in))
	if len(problems) != 0 {
		t.Fatal(problems)
	}
	out := s.bytes()
	for _, want := range []string{`"colour": "red"`, `"mood": "good"`, `"byteOffset": 10`, `"foreign": true`, `"lastScanAt": "2026-03-01T00:00:00Z"`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is missing in\n%s", want, out)
		}
	}
	again, _ := parseState("", out)
	if !bytes.Equal(again.bytes(), out) {
		t.Error("written twice, the state differs")
	}
	f := s.files["/a"]
	f.Foreign = false
	s.files["/a"] = f
	if strings.Contains(string(s.bytes()), "foreign") {
		t.Error("a refusal that was taken back is still written")
	}
}

func TestBrokenStateStartsOver(t *testing.T) {
	file := memory("/s/a.jsonl", claudeFile("s1", learner().events()))
	want := logOf(t, file)
	for name, state := range map[string]string{
		"torn":                  `{"version":1,"files":{"/s/a.jso`,
		"not an object":         `[1,2]`,
		"another version":       `{"version":2,"files":{}}`,
		"files of a wrong type": `{"version":1,"files":[]}`,
		"null":                  `null`,
	} {
		t.Run(name, func(t *testing.T) {
			r := scanAll(t, Input{Files: []File{file}, State: []byte(state)})
			if !bytes.Equal(r.Log.Bytes(), want) {
				t.Error("the log is another one")
			}
			if len(r.Problems) != 1 || r.Problems[0].Path != "scan-state.json" {
				t.Errorf("problems %v", r.Problems)
			}
		})
	}
	for name, state := range map[string]string{
		"impossible offsets":       `{"version":1,"files":{"/s/a.jsonl":{"byteOffset":5,"resumeOffset":9}}}`,
		"one file of a wrong type": `{"version":1,"files":{"/s/a.jsonl":"x"}}`,
		"a file that was replaced": `{"version":1,"files":{"/s/a.jsonl":{"byteOffset":50,"resumeOffset":50,"sizeBytes":50,"inode":"/s/a.jsonl","tail":"0000"}}}`,
		"empty":                    ``,
	} {
		t.Run(name, func(t *testing.T) {
			r := scanAll(t, Input{Files: []File{file}, State: []byte(state)})
			if !bytes.Equal(r.Log.Bytes(), want) || len(r.Problems) != 0 {
				t.Errorf("another log, or problems %v", r.Problems)
			}
		})
	}
}

func TestFileStateIsReadAsWritten(t *testing.T) {
	for _, f := range []fileState{
		{Read: 10, Size: 11, MTime: 12, Inode: "13", Tail: "0a", Offset: 9, Line: 8, Session: "s", Foreign: true},
		{},
		{Session: "\"é\\<"},
		{Read: 1, Inode: "7", Foreign: true},
	} {
		out, err := json.Marshal(f)
		again, ok := parseFileState(out)
		if again.unknown = nil; err != nil || !ok || !reflect.DeepEqual(again, f) {
			t.Errorf("%s is read as %+v, want %+v (%v)", out, again, f, err)
		}
	}
}

func FuzzParseState(f *testing.F) {
	f.Add([]byte(`{"version":1,"files":{"/a":{"byteOffset":10,"resumeOffset":5}}}`))
	f.Add([]byte(`{"version":1,"files":{"":null},"x":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, _ := parseState("x", data)
		out := s.bytes()
		again, problems := parseState("x", out)
		if len(problems) != 0 || !bytes.Equal(again.bytes(), out) {
			t.Errorf("%q is written as %q, which is read as another state", data, out)
		}
		var laidOut bytes.Buffer
		if err := json.Indent(&laidOut, bytes.TrimSpace(out), "", " "); err != nil || !bytes.Equal(append(laidOut.Bytes(), '\n'), out) {
			t.Errorf("%q is laid out otherwise than %q (%v)", out, laidOut.Bytes(), err)
		}
	})
}
