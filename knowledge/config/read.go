package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/settings/jsonedit"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
	"github.com/lessons-cli/lessons/knowledge/prose"
)

// maxBytes is the greatest size of a settings file in bytes.
const maxBytes = 256 << 10

// Read reads settings over others: a repository's over a person's, those
// over the defaults. user says that the file belongs to the person. A value that
// does not fit, and a setting that only a person may set for themselves, is a
// problem with its line and leaves the base; unknown keys belong to other
// versions. The error is a *ParseError: the file is not a JSON object.
func Read(base Config, path string, data []byte, user bool) (Config, []knowledge.Problem, error) {
	r := reader{c: base, path: path, data: data, user: user}
	doc := bytes.TrimPrefix(data, textfile.ByteOrderMark)
	if len(data) > maxBytes {
		return base, nil, &knowledge.ParseError{Path: path, Text: fmt.Sprintf("settings of more than %d bytes", maxBytes)}
	}
	root, err := jsonedit.Parse(doc)
	if err != nil {
		parse := &knowledge.ParseError{Path: path, Line: 1, Text: "not JSON: " + err.Error()}
		if syntax, ok := errors.AsType[*jsonedit.SyntaxError](err); ok {
			parse.Line, parse.Text = syntax.Line, "not JSON: "+syntax.Text
		}
		return base, nil, parse
	}
	if !root.IsObject() {
		return base, nil, &knowledge.ParseError{Path: path, Line: 1, Text: "settings are an object: {\"layout\": \"book\"}"}
	}
	r.data = doc
	r.object("", root)
	return r.c, r.problems, nil
}

// Names says whether a settings file sets something, in either spelling.
func Names(data []byte, key string) bool {
	root, err := jsonedit.Parse(bytes.TrimPrefix(data, textfile.ByteOrderMark))
	if err != nil {
		return false
	}
	_, ok := spelledMember(root, key)
	return ok
}

// LineOf is the line of a settings file on which a setting stands, in either spelling; 1
// where it does not.
func LineOf(data []byte, key string) int {
	data = bytes.TrimPrefix(data, textfile.ByteOrderMark)
	root, err := jsonedit.Parse(data)
	if err != nil {
		return 1
	}
	value, _ := spelledMember(root, key)
	return knowledge.LineAt(data, value.Start)
}

type reader struct {
	c        Config
	path     string
	data     []byte
	user     bool
	problems []knowledge.Problem
}

func (r *reader) problem(at int, text string) {
	r.problems = append(r.problems, knowledge.Problem{Path: r.path, Line: knowledge.LineAt(r.data, at), Rule: "config", Text: text})
}

// object reads the members of the settings, or of a group of them.
func (r *reader) object(prefix string, node jsonedit.Node) {
	seen := map[string]bool{}
	for _, m := range node.Members {
		key := prefix + prose.CamelCase(m.Key)
		if seen[key] {
			r.problem(m.KeyStart, key+" stands twice: the last one counts")
		}
		seen[key] = true
		value := r.data[m.Value.Start:m.Value.End]
		if s, ok := settingOf(key); ok {
			if s.user && !r.user {
				r.problem(m.KeyStart, key+" is ignored here: it is read from your own settings only")
				continue
			}
			if err := s.set(&r.c, value); err != nil {
				r.problem(m.Value.Start, err.Error())
			}
			continue
		}
		switch {
		case key == "version":
			r.version(m.Value.Start, value)
		case !settingGroup(key):
		case m.Value.IsObject():
			r.object(key+".", m.Value)
		default:
			r.problem(m.Value.Start, key+" must be an object")
		}
	}
}

func (r *reader) version(at int, value []byte) {
	var version int
	if string(value) == "null" || json.Unmarshal(value, &version) != nil {
		r.problem(at, "version must be a whole number")
		return
	}
	r.c.Version = version
	if version > currentVersion {
		r.problem(at, fmt.Sprintf("these settings have version %d, newer than this program knows: they are read and never changed", version))
	}
}

// Unknown names the settings of a file that this version does not know.
func Unknown(path string, data []byte) []knowledge.Problem {
	data = bytes.TrimPrefix(data, textfile.ByteOrderMark)
	root, err := jsonedit.Parse(data)
	if err != nil {
		return nil
	}
	r := reader{path: path, data: data}
	r.unknown("", root)
	return r.problems
}

func (r *reader) unknown(prefix string, node jsonedit.Node) {
	for _, m := range node.Members {
		key := prefix + prose.CamelCase(m.Key)
		_, known := settingOf(key)
		switch {
		case known, key == "$schema", key == "type", key == "version":
		case settingGroup(key):
			r.unknown(key+".", m.Value)
		default:
			r.problem(m.KeyStart, fmt.Sprintf("no setting is called %q: it has no effect", prefix+m.Key))
		}
	}
}

// settingGroup says whether settings begin with the key and a dot.
func settingGroup(key string) bool {
	return slices.ContainsFunc(settings(), func(s setting) bool { return strings.HasPrefix(s.key, key+".") })
}

// Load reads the settings of a repository over others: what an earlier tool
// left, then its own file, which it returns as well; nil: there is none.
func Load(base Config, read func(path string, limit int64) ([]byte, bool)) (Config, []knowledge.Problem, []byte) {
	var problems []knowledge.Problem
	if data, ok := read(devflowFile, maxBytes); ok {
		base, problems = readDevflow(base, devflowFile, data)
	}
	data, ok := read(File, maxBytes)
	if !ok {
		return base, problems, nil
	}
	own, more, err := Read(base, File, data, false)
	problems = append(problems, more...)
	if parse, ok := errors.AsType[*knowledge.ParseError](err); ok {
		problems = append(problems, parse.Problem("config"))
	}
	return own, problems, data
}

// readDevflow reads the settings that an earlier tool left in
// .memory/learning.json over others: values alone, and of those only what a
// repository may set. Its model, daily cap and debug switch belong to a person
// and are not read.
func readDevflow(base Config, path string, data []byte) (Config, []knowledge.Problem) {
	var file map[string]json.RawMessage
	if err := json.Unmarshal(data, &file); err != nil {
		return base, []knowledge.Problem{{Path: path, Line: 1, Rule: "config", Text: "not JSON: " + err.Error()}}
	}
	var problems []knowledge.Problem
	batch, _ := settingOf("batch")
	for _, key := range []string{"batch_size", "batchSize", "batch"} {
		if value, ok := file[key]; ok {
			if err := batch.set(&base, value); err != nil {
				problems = append(problems, knowledge.Problem{Path: path, Rule: "config", Text: err.Error()})
			}
		}
	}
	return base, problems
}

// Set returns the settings file with one setting changed; every other byte
// stays. key may be in either spelling, value is a word, a number, true, false or
// a JSON list. A file that is not there yet (nil) is begun. user says that the file
// belongs to the person.
func Set(data []byte, key, value string, user bool) ([]byte, error) {
	s, ok := settingOf(key)
	if !ok {
		return nil, fmt.Errorf("no setting %q", key)
	}
	if s.user && !user {
		return nil, fmt.Errorf("%s belongs into your own settings and is not read from a repository: lessons config --user %s VALUE", s.key, s.key)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		data = fmt.Appendf(nil, "{\n  \"$schema\": %q,\n  \"type\": %q,\n  \"version\": %d\n}\n", schemaURL, fileType, currentVersion)
	}
	c, _, err := Read(Default(), File, data, user)
	if err != nil {
		return nil, err
	}
	if c.Version > currentVersion {
		return nil, &knowledge.ParseError{Path: File, Line: 1, Text: fmt.Sprintf("version %d is newer than this program knows: nothing is changed", c.Version)}
	}
	raw := json.RawMessage(value)
	if s.field(&c).Kind() == reflect.String {
		raw, _ = json.Marshal(value) // a text always marshals
	}
	if err := s.set(&c, raw); err != nil {
		return nil, err
	}
	return setMember(data, strings.Split(s.key, "."), raw)
}

// setMember sets the value at a path of keys.
func setMember(data []byte, keys []string, value json.RawMessage) ([]byte, error) {
	node, err := jsonedit.Parse(data)
	if err != nil {
		return nil, err
	}
	for i, key := range keys {
		member, ok := spelledMember(node, key)
		switch {
		case !ok:
			return jsonedit.AddMember(data, node, key, nested(keys[i+1:], value)), nil
		case i == len(keys)-1:
			return bytes.Join([][]byte{data[:member.Start], value, data[member.End:]}, nil), nil
		case !member.IsObject():
			return nil, fmt.Errorf("%s is not an object", strings.Join(keys[:i+1], "."))
		}
		node = member
	}
	return data, nil
}

// nested wraps a value into objects.
func nested(keys []string, value json.RawMessage) json.RawMessage {
	for i := len(keys) - 1; i >= 0; i-- {
		value = fmt.Appendf(nil, "{%q:%s}", keys[i], value)
	}
	return value
}

// spelledMember finds a member in either spelling; the last one counts.
func spelledMember(node jsonedit.Node, key string) (jsonedit.Node, bool) {
	for i := len(node.Members) - 1; i >= 0; i-- {
		if prose.CamelCase(node.Members[i].Key) == key {
			return node.Members[i].Value, true
		}
	}
	return jsonedit.Node{}, false
}
