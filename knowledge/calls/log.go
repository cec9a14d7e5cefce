package calls

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lessons-cli/lessons/knowledge"
)

// Extension is how the name of a session's file ends; before it stands the
// session's name.
const Extension = ".jsonl"

// maxLine bounds one line of a file, in bytes.
const maxLine = 64 << 10

// Encode writes calls as JSON lines.
func Encode(all []Call) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, c := range all {
		if err := enc.Encode(c); err != nil {
			panic(err) // nothing in a call can fail to encode
		}
	}
	return out.Bytes()
}

// Parse reads the file of a session. A line that cannot be read is a problem and
// hides no other; the file loses it at the next write, because a scan finds the call
// again where its transcript is still there.
func Parse(name string, data []byte) (Session, []knowledge.Problem) {
	s := Session{Name: strings.TrimSuffix(name, Extension)}
	var problems []knowledge.Problem
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var c Call
		err := error(nil)
		if len(line) > maxLine {
			err = fmt.Errorf("longer than %d bytes", maxLine)
		} else if err = json.Unmarshal(line, &c); err == nil && c.ID == "" {
			err = fmt.Errorf("no id")
		}
		if err != nil {
			problems = append(problems, knowledge.Problem{Path: name, Line: n, Rule: "call-log", Text: "This line of the call log cannot be read: " + err.Error() + "."})
			continue
		}
		s.Calls = append(s.Calls, c)
	}
	s.Calls = Merge(nil, s.Calls)
	return s, problems
}
