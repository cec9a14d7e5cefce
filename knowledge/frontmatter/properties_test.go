package frontmatter

import (
	"reflect"
	"testing"
)

func TestReadMatter(t *testing.T) {
	m, err := ReadProperties("x.md", []byte("---\nstatus: accepted\ndate: 2024-01-02\nwho: [a, b]\nrules:\n  - field: x\n---\n# T\n"))
	if err != nil || m.Text("state", "status") != "accepted" || m.Text("date") != "2024-01-02" || m.Text("who") != "a, b" || m.Lines["who"] != 4 || m.Line != 8 {
		t.Errorf("%+v, %v", m, err)
	}
	if rules, ok := m.Values["rules"].([]any); !ok || len(rules) != 1 || !reflect.DeepEqual(rules[0], map[string]any{"field": "x"}) {
		t.Errorf("%#v", m.Values["rules"])
	}
	if m, err := ReadProperties("x.md", []byte("# T\n")); err != nil || m.Body != 0 || m.Line != 1 {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := ReadProperties("x.md", []byte("---\na: [\n---\n")); err == nil {
		t.Error("no error")
	}
}
