package frontmatter

import "testing"

func TestEditFrontMatterTouchesNothingElse(t *testing.T) {
	tests := []struct{ name, text, key, value, want string }{
		{"plain value", "---\nid: x\nstatus:  draft   # by hand\nb: 1\n---\nbody\n", "status", "active", "---\nid: x\nstatus: active   # by hand\nb: 1\n---\nbody\n"},
		{"quoted value", "---\nstatus: \"dr\\\"aft\" # x\n---\n", "status", "active", "---\nstatus: active # x\n---\n"},
		{"single quotes", "---\nstatus: 'it''s'\n---\n", "status", "active", "---\nstatus: active\n---\n"},
		{"no value", "---\nstatus:   # none\nb: 1\n---\n", "status", "active", "---\nstatus: active   # none\nb: 1\n---\n"},
		{"list", "---\ntags:\n  - a\n  - b\n\n# about c\nc: 1\n---\n", "tags", "x", "---\ntags: x\n\n# about c\nc: 1\n---\n"},
		{"block text", "---\na: |\n  one\n  two\nb: 1\n---\n", "a", "x", "---\na: x\nb: 1\n---\n"},
		{"new key", "---\nid: x # c\n---\nbody", "reviewed_by", "Ann: \"x\"", "---\nid: x # c\nreviewed_by: \"Ann: \\\"x\\\"\"\n---\nbody"},
		{"new key in an empty one", "---\n---\nbody", "id", "x", "---\nid: x\n---\nbody"},
		{"CRLF", "---\r\nid: x\r\n---\r\n# T\r\n", "status", "draft", "---\r\nid: x\r\nstatus: draft\r\n---\r\n# T\r\n"},
		{"CRLF value", "---\r\nstatus: a\r\nid: x\r\n---\r\n", "status", "draft", "---\r\nstatus: draft\r\nid: x\r\n---\r\n"},
		{"CRLF and a comment", "---\r\nstatus: a  # b\r\nid: x\r\n---\r\n", "status", "draft", "---\r\nstatus: draft  # b\r\nid: x\r\n---\r\n"},
		{"list on one line", "---\ntags: [a, b] # c\n---\n", "tags", "x", "---\ntags: x # c\n---\n"},
		{"other spelling", "---\nreviewedBy: x\n---\n", "reviewed_by", "Ben", "---\nreviewedBy: Ben\n---\n"},
		{"behind other scripts", "---\ntitel: «été» \nstatus: draft\n---\n", "status", "active", "---\ntitel: «été» \nstatus: active\n---\n"},
		{"a line in the body", "---\nstatus: a\n---\nstatus: b\n---\n", "status", "c", "---\nstatus: c\n---\nstatus: b\n---\n"},
		{"byte order mark", "\uFEFF---\nstatus: a\n---\n", "status", "c", "\uFEFF---\nstatus: c\n---\n"},
		{"quoted key", "---\n\"status\": a\n---\n", "status", "c", "---\n\"status\": c\n---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Edit([]byte(tt.text), tt.key, tt.value)
			if err != nil || string(got) != tt.want {
				t.Errorf("%v\n got %q\nwant %q", err, got, tt.want)
			}
		})
	}
	for _, text := range []string{"", "# T\n", "---\n{a: 1, status: x}\n---\n", "---\na: 1\na: 2\n---\n"} {
		if got, err := Edit([]byte(text), "status", "x"); err == nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}
