package tomlscan

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestScanFindsStatements(t *testing.T) {
	doc := "# top\nmodel = \"gpt\" # note\n[projects.\"/home/dev/a.b\"]\ntrust_level = 'trusted'\r\n\n[[hooks.Stop]]\n matcher = \"\"\"\n[x]\n\"quoted\"\"\"\"\n[[ hooks . Stop . hooks ]]\nlist = [ 1, # ]\n  { a = \"]\" } ]\na.\"b c\".d = 1"
	found, err := Scan([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range found {
		got = append(got, strings.Join(s.Path(), "/"))
	}
	want := "model|projects//home/dev/a.b|projects//home/dev/a.b/trust_level|hooks/Stop|hooks/Stop/matcher|hooks/Stop/hooks|hooks/Stop/hooks/list|hooks/Stop/hooks/a/b c/d"
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
	if v, ok := Text(found[2].Value); !ok || v != "trusted" {
		t.Errorf("trust level is %q", v)
	}
	if found[2].Line != 4 || !found[3].Array || found[1].Array {
		t.Errorf("got %+v", found[1:4])
	}
}

func TestBrokenTOMLIsRefusedWithALine(t *testing.T) {
	for doc, line := range map[string]int{
		"a = 1\nb = \"open\nc = 2\n": 2, "a = '''\nx\n": 3, "[x\n": 1, "a\n": 1, "a = [1,\n": 2, "a = \n": 1, "[]\n": 1, "{}": 1,
	} {
		_, err := Scan([]byte(doc))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Line != line {
			t.Errorf("%q: got %v, want line %d", doc, err, line)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, doc := range []string{"", "a = 1", "[x]\ny = \"\"\"\n\"\"\"", "[[a.b]]\nc = [1,{d='e'}]", "a='\\\n", "\"\\"} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		found, err := Scan(doc)
		if err != nil {
			return
		}
		line, lines := 0, 1+bytes.Count(doc, []byte("\n"))
		for _, s := range found {
			if s.Line <= line || s.Line > lines {
				t.Fatalf("a statement in line %d behind one in line %d of %d", s.Line, line, lines)
			}
			line = s.Line
		}
	})
}
