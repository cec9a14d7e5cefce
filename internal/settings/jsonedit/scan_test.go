package jsonedit

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

func sameNodes(t *testing.T, doc []byte) {
	t.Helper()
	want, err := parseTokens(doc)
	if err != nil {
		t.Fatalf("%q is valid, and reading its tokens says %v", doc, err)
	}
	if got, err := Parse(doc); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q: %v\ngot  %+v\nwant %+v", doc, err, got, want)
	}
}

func TestScanFindsTheSamePlacesAsTokens(t *testing.T) {
	for _, doc := range []string{
		`1`, ` -1.5e3 `, `"a\"b"`, `null`, `{}`, `[]`, ` { } `, "[ \n ]",
		`{"a":1,"b":[true,{"c":"}]\\"}],"a":{}}`, "{\r\n\t\"k\\u0041\" : \"v\" ,\"x\":[1 , 2]}\n",
		"{\"\xff\":1}", `[[[]],{"":{"":""}}]`,
	} {
		if !json.Valid([]byte(doc)) {
			t.Fatalf("%q is not valid", doc)
		}
		sameNodes(t, []byte(doc))
	}
}

// What encoding/json takes for a document is one, and nothing else is.
func TestScanAcceptsWhatTheStandardLibraryAccepts(t *testing.T) {
	for _, doc := range notJSON {
		sameAcceptance(t, []byte(doc))
	}
}

var notJSON = []string{
	"", " ", "{", "[", "}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}", `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{"a" 1}`, `{a:1}`, `{"a":1]`, `{,}`,
	"tru", "nulL", "truee", "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "-01", "1{", `1"a"`, `"`, `"a`, "\"a\nb\"", "\"a\x00\"", `"\`, `"\x"`, `"\u12"`, `"\u12g4"`, "1 2", "{}x", "\ufeff{}", "[1]]",
}

func sameAcceptance(t *testing.T, doc []byte) {
	t.Helper()
	if _, err := Parse(doc); (err == nil) != json.Valid(doc) {
		t.Errorf("%q: %v, and encoding/json says valid: %v", doc, err, json.Valid(doc))
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte(`{"a":[1,"\\\"",{}],"b":null}`))
	for _, doc := range notJSON {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		sameAcceptance(t, doc)
		if json.Valid(doc) {
			sameNodes(t, doc)
		}
	})
}

// parseTokens reads a document by the standard library's tokens.
func parseTokens(doc []byte) (Node, error) {
	p := parser{doc: doc, dec: json.NewDecoder(bytes.NewReader(doc))}
	p.dec.UseNumber()
	node, err := p.value()
	if err == nil && len(bytes.TrimSpace(doc[p.end():])) > 0 {
		err = p.fail("text behind the end of the document")
	}
	return node, err
}

type parser struct {
	doc []byte
	dec *json.Decoder
}

func (p *parser) end() int { return int(p.dec.InputOffset()) }

func (p *parser) fail(text string) error {
	return &SyntaxError{Line: 1 + bytes.Count(p.doc[:min(p.end(), len(p.doc))], []byte("\n")), Text: text}
}

// token reads one token and returns the offset at which it starts.
func (p *parser) token() (json.Token, int, error) {
	start := p.end()
	for start < len(p.doc) && bytes.IndexByte([]byte(" \t\r\n,:"), p.doc[start]) >= 0 {
		start++
	}
	tok, err := p.dec.Token()
	if err != nil {
		return nil, start, p.fail(err.Error())
	}
	return tok, start, nil
}

func (p *parser) value() (Node, error) {
	tok, start, err := p.token()
	if err != nil {
		return Node{}, err
	}
	node := Node{Start: start, End: p.end(), kind: 'v'}
	switch tok {
	case json.Delim('{'):
		node.kind = '{'
		err = p.members(&node)
	case json.Delim('['):
		node.kind = '['
		err = p.elems(&node)
	}
	return node, err
}

func (p *parser) members(node *Node) error {
	for p.dec.More() {
		tok, start, err := p.token()
		if err != nil {
			return err
		}
		value, err := p.value()
		if err != nil {
			return err
		}
		node.Members = append(node.Members, Member{Key: tok.(string), KeyStart: start, Value: value})
	}
	return p.closing(node)
}

func (p *parser) elems(node *Node) error {
	for p.dec.More() {
		value, err := p.value()
		if err != nil {
			return err
		}
		node.Elems = append(node.Elems, value)
	}
	return p.closing(node)
}

func (p *parser) closing(node *Node) error {
	_, _, err := p.token()
	node.End = p.end()
	return err
}
