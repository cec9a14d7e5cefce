package jsonedit

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
)

// Append returns the document with value added as the last element of the
// array. value is laid out with the document's own indentation.
func Append(doc []byte, array Node, value json.RawMessage) []byte {
	lastEnd := -1
	if n := len(array.Elems); n > 0 {
		lastEnd = array.Elems[n-1].End
	}
	return insert(doc, array, lastEnd, nil, value)
}

// AddMember returns the document with a member added at the end of the object.
func AddMember(doc []byte, object Node, key string, value json.RawMessage) []byte {
	lastEnd := -1
	if n := len(object.Members); n > 0 {
		lastEnd = object.Members[n-1].Value.End
	}
	name, _ := json.Marshal(key) // a string always marshals
	return insert(doc, object, lastEnd, name, value)
}

// insert puts [key:] value behind lastEnd, or at the start of an empty container.
func insert(doc []byte, container Node, lastEnd int, key, value []byte) []byte {
	style := styleOf(doc)
	depth := depthOf(doc, container)
	var add bytes.Buffer
	at := container.Start + 1
	if lastEnd >= 0 {
		at = lastEnd
		add.WriteByte(',')
	}
	style.newline(&add, depth+1)
	if key != nil {
		add.Write(key)
		add.WriteString(style.colon())
	}
	style.value(&add, value, depth+1)
	rest := doc[at:]
	if lastEnd < 0 && len(bytes.TrimSpace(doc[at:container.End-1])) == 0 {
		// An empty container: replace its white space by a proper last line.
		style.newline(&add, depth)
		rest = doc[container.End-1:]
	}
	return concat(doc[:at], add.Bytes(), rest)
}

// RemoveElem returns the document without the i-th element of the array.
func RemoveElem(doc []byte, array Node, i int) []byte {
	spans := lists.Map(array.Elems, func(e Node) [2]int { return [2]int{e.Start, e.End} })
	return remove(doc, array, spans, i)
}

// RemoveMember returns the document without the last member of that key.
func RemoveMember(doc []byte, object Node, key string) []byte {
	spans, at := make([][2]int, len(object.Members)), -1
	for j, m := range object.Members {
		spans[j] = [2]int{m.KeyStart, m.Value.End}
		if m.Key == key {
			at = j
		}
	}
	if at < 0 {
		return doc
	}
	return remove(doc, object, spans, at)
}

func remove(doc []byte, container Node, spans [][2]int, i int) []byte {
	switch {
	case len(spans) == 1: // the container becomes empty
		return concat(doc[:container.Start+1], doc[container.End-1:])
	case i == 0:
		return concat(doc[:spans[0][0]], doc[spans[1][0]:])
	default:
		return concat(doc[:spans[i-1][1]], doc[spans[i][1]:])
	}
}

// style is how a document is laid out.
type style struct {
	compact bool   // all on one line
	indent  string // of one level
	eol     string
	tight   bool // no blank behind a colon
}

func styleOf(doc []byte) style {
	s := style{indent: "  ", eol: "\n"}
	body := bytes.TrimSpace(doc)
	if bytes.Contains(doc, []byte("\r\n")) {
		s.eol = "\r\n"
	}
	lines := strings.Split(string(body), "\n")
	s.compact = len(lines) == 1 && len(body) > 2
	for _, line := range lines[min(1, len(lines)):] {
		if text := strings.TrimLeft(line, " \t"); text != "" && len(text) < len(line) {
			s.indent = line[:len(line)-len(text)]
			break
		}
	}
	s.tight = bytes.Contains(body, []byte(`":`)) && !bytes.Contains(body, []byte(`": `))
	return s
}

func (s style) newline(w *bytes.Buffer, depth int) {
	if !s.compact {
		w.WriteString(s.eol + strings.Repeat(s.indent, depth))
	}
}

func (s style) colon() string {
	if s.compact && s.tight {
		return ":"
	}
	return ": "
}

func (s style) value(w *bytes.Buffer, value []byte, depth int) {
	if s.compact {
		_ = json.Compact(w, value) // value is JSON that this program wrote
		return
	}
	var laid bytes.Buffer
	_ = json.Indent(&laid, value, strings.Repeat(s.indent, depth), s.indent)
	w.Write(bytes.ReplaceAll(laid.Bytes(), []byte("\n"), []byte(s.eol)))
}

// depthOf counts the containers around a node.
func depthOf(doc []byte, target Node) int {
	root, err := Parse(doc)
	if err != nil {
		return 0
	}
	depth, node := 0, root
	for node.Start != target.Start {
		next, ok := childAround(node, target.Start)
		if !ok {
			return depth
		}
		node, depth = next, depth+1
	}
	return depth
}

func childAround(n Node, offset int) (Node, bool) {
	for _, m := range n.Members {
		if m.Value.Start <= offset && offset < m.Value.End {
			return m.Value, true
		}
	}
	return lists.Find(n.Elems, func(e Node) bool { return e.Start <= offset && offset < e.End })
}

func concat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
