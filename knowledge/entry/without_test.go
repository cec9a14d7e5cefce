package entry

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lessons-cli/lessons/knowledge"
)

func TestBookWithout(t *testing.T) {
	text := "<!-- TL;DR: 3 pitfalls. Key: PF-001, PF-002, PF-003 -->\r\n# Known Pitfalls\r\n\r\n## PF-001: A\r\n\r\n- **Status**: Active\r\n\r\n\r\n## PF-002: B\r\n\r\n- **Status**: Active\r\n\r\n## Notes\r\n\r\nmine\r\n\r\n## PF-003: C\r\n\r\n- **Status**: Active"
	b, _ := ParseBook(BookPath(knowledge.KindPF), []byte(text))
	if len(b.Entries) != 3 {
		t.Fatalf("%d entries", len(b.Entries))
	}
	want := strings.Replace(text, "3 pitfalls. Key: PF-001, PF-002, PF-003", "2 pitfalls. Key: PF-002, PF-003", 1)
	want = strings.Replace(want, "## PF-001: A\r\n\r\n- **Status**: Active\r\n\r\n\r\n", "", 1)
	if got := b.Without(b.Entries[0].Start); string(got) != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	if got := b.Without(); !bytes.Equal(got, []byte(text)) {
		t.Errorf("nothing is removed, and the book changed:\n%s", got)
	}
	all := b.Without(b.Entries[0].Start, b.Entries[1].Start, b.Entries[2].Start)
	if left, _ := ParseBook(BookPath(knowledge.KindPF), all); len(left.Entries) != 0 || !bytes.Contains(all, []byte("mine")) {
		t.Errorf("left:\n%s", all)
	}
}
