package calls

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unique"

	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/knowledge"
)

// Extension is how the name of a session's file ends; before it stands the
// session's name.
const Extension = ".jsonl"

// maxLine bounds one line of a file, in bytes.
const maxLine = 64 << 10

// errJSON says that a line is no object, or holds something else than a call does.
var errJSON = errors.New("it is no JSON object of a call")

// Parse reads the file of a session: a set of calls in any order, in which the last line
// of a call holds. A line that cannot be read is a problem and hides no other.
func Parse(name string, data []byte) (Session, []knowledge.Problem) {
	s := Session{Name: strings.TrimSuffix(name, Extension)}
	var problems []knowledge.Problem
	s.Calls = make([]Call, 0, bytes.Count(data, []byte("\n"))+1)
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var c Call
		err := error(nil)
		if len(line) > maxLine {
			err = fmt.Errorf("longer than %d bytes", maxLine)
		} else if json.Unmarshal(line, &c) != nil {
			err = errJSON
		} else if c.ID == "" {
			err = fmt.Errorf("no id")
		}
		if err != nil {
			problems = append(problems, knowledge.Problem{Path: name, Line: n, Rule: "call-log", Text: "This line of the call log cannot be read: " + err.Error() + "."})
			continue
		}
		share(&c)
		s.Calls = append(s.Calls, c)
	}
	s.Calls = inOrder(s.Calls)
	return s, problems
}

// share has the texts that many calls have, such as the name of a tool, in memory once: the whole
// log is read whenever something is derived of it.
func share(c *Call) {
	once(&c.Agent, &c.Tool, &c.Dir, (*string)(&c.Outcome))
	for i := range c.Fired {
		once(&c.Fired[i])
	}
	for i := range c.Mends {
		once((*string)(&c.Mends[i].How), &c.Mends[i].Fix, &c.Mends[i].Rule)
	}
	if f := c.Failure; f != nil {
		once(&f.Problem, &f.Program, &f.Target, &f.Class, &f.Line)
		for rule, line := range f.Rules {
			f.Rules[rule] = unique.Make(line).Value()
		}
	}
}

func once(texts ...*string) {
	for _, text := range texts {
		*text = unique.Make(*text).Value()
	}
}

// AppendLine appends a call to b as a line of JSON, with the fields in the order of [Call].
func AppendLine(b []byte, c *Call) []byte {
	line, _ := plain.Marshal(c, "") // cannot fail: it holds nothing but texts and numbers
	return append(append(b, line...), '\n')
}

// Unite adds the lines of fresh to those of a session's file. A call that both have is
// taken as fresh has it. What is already there is returned as it is, and where nothing
// is replaced the result begins with it.
func Unite(old, fresh []byte) []byte {
	newer := map[string][]byte{} // by the call's id; nil: already there
	for line := range bytes.Lines(fresh) {
		newer[idOf(line)] = line
	}
	all := make([]byte, 0, len(old)+len(fresh)+1)
	for line := range bytes.Lines(old) {
		id := idOf(line)
		now, again := newer[id]
		switch {
		case !again:
		case bytes.Equal(now, line):
			newer[id] = nil
		default:
			continue
		}
		all = append(all, line...)
	}
	if n := len(all); n > 0 && all[n-1] != '\n' {
		all = append(all, '\n') // a crash left half a line
	}
	for line := range bytes.Lines(fresh) {
		if id := idOf(line); newer[id] != nil && bytes.Equal(newer[id], line) {
			all, newer[id] = append(all, line...), nil
		}
	}
	return all
}

// lineBegin is how the line of a call begins; its id follows.
const lineBegin = `{"id":"`

// idOf is the id with which a line begins.
func idOf(line []byte) string {
	rest, _ := bytes.CutPrefix(line, []byte(lineBegin))
	id, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(id)
}
