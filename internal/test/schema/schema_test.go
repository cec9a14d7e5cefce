package schema

import "testing"

func TestSchemasAreComplete(t *testing.T) {
	for _, name := range []string{"config", "export", "lesson", "manifest", "observation"} {
		s, err := Read(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := s.Resolve(nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"other"} {
		if _, err := Text(name); err == nil {
			t.Errorf("%s is a schema", name)
		}
	}
}
