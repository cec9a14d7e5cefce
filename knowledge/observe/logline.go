package observe

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/internal/fields"
	"github.com/lessons-cli/lessons/knowledge/internal/textfile"
)

// logLine is one line with its line end.
type logLine struct {
	place                // of the text that was read
	head    Head         // of the observation that the text tells; the zero value: it tells none
	obs     *Observation // nil: what the text tells
	unknown fields.Unknown
	known   *member // of obs, or of what it was before
	twin    bool    // is a later line of the same id
	touched bool    // obs is newer than the text
	relaid  bool    // joined from several lines: laid out anew
	gone    bool
	waits   bool // for its place, see [Log.place]
}

// member returns the observation with what it is known by.
func (line *logLine) member() *member {
	if line.known == nil || line.known.Observation != line.o() {
		line.known = memberOf(line.o())
	}
	return line.known
}

// is takes another observation in.
func (line *logLine) is(m *member) { line.obs, line.known = m.Observation, m }

// o is the observation. One that was put off is read now, and stays.
func (line *logLine) o() *Observation {
	if line.obs == nil && line.head.ID != "" {
		if line.obs, line.unknown = line.read(line.bytes()); line.obs == nil {
			line.obs = &Observation{ID: line.head.ID} // the text was changed meanwhile
		}
	}
	return line.obs
}

// read reads the observation that was put off, nil when it is not there any more.
func (line *logLine) read(raw []byte) (*Observation, fields.Unknown) {
	o, unknown, _, _ := parseLine(raw)
	if o == nil || o.ID != line.head.ID {
		return nil, nil
	}
	return o, unknown
}

// putOff forgets an observation that the text tells as well.
func (line *logLine) putOff() {
	line.head, line.obs, line.unknown, line.known = headOf(line.obs), nil, nil, nil
}

// id is the observation's id.
func (line *logLine) id() string {
	if line.obs == nil {
		return line.head.ID
	}
	return line.obs.ID
}

// observes says whether the line is an observation.
func (line *logLine) observes() bool { return line.obs != nil || line.head.ID != "" }

func (line *logLine) live() bool { return line.observes() && !line.gone && !line.twin }

// copy is a copy of the observation, nil for none. One that was put off stays so.
func (line *logLine) copy() *Observation {
	switch {
	case line == nil:
		return nil
	case line.obs != nil:
		return line.obs.Clone()
	}
	o, _ := line.read(line.bytes())
	return o
}

// parseLine reads a line: an observation, or rule and text of a problem, or neither.
func parseLine(raw []byte) (o *Observation, unknown fields.Unknown, rule, text string) {
	body := bytes.TrimSpace(raw)
	switch {
	case len(body) == 0:
		return nil, nil, "", ""
	case textfile.IsConflictMarker(body):
		return nil, nil, "log-conflict", "A conflict marker of a merge: take out the marker lines and keep the others; the lines around it are read."
	case !utf8.Valid(body):
		return nil, nil, "log-line", "The line is not UTF-8; it is kept and not read."
	}
	o, unknown, err := decodeObservation(string(body))
	switch {
	case err != nil:
		return nil, nil, "log-line", fmt.Sprintf("The line cannot be read (%s); it is kept as it is.", strings.TrimPrefix(err.Error(), "line 1: "))
	case o.ID == "":
		return nil, nil, "log-id", "The line has no id; it is kept as it is."
	case !slices.Contains(knownTypes, o.Type):
		return nil, nil, "log-type", fmt.Sprintf("The type %q of %s is not known here; the line is kept as it is.", o.Type, o.ID)
	}
	o.ID = strings.Clone(o.ID) // it is kept when the line is not
	o.ArtifactPath = knowledge.RepositoryPath(o.ArtifactPath)
	return o, unknown, "", ""
}

var knownTypes = []knowledge.Type{knowledge.Workflow, knowledge.Procedural, knowledge.Decision, knowledge.Pitfall}

// encode returns the line of a changed observation, laid out anew unless it says
// what it said.
func (line *logLine) encode(raw []byte, eol string) []byte {
	body := bytes.TrimSpace(raw)
	if old, _, err := decodeObservation(string(body)); err == nil && !line.relaid && reflect.DeepEqual(old, line.obs) {
		return raw
	}
	body = encodeObservation(line.obs, line.unknown)
	if len(raw) == 0 {
		return append(body, eol...)
	}
	return slices.Concat(body, raw[len(bytes.TrimRight(raw, "\r\n")):])
}
