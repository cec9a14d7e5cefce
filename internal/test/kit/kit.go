// Package kit holds what the tests of several packages share.
package kit

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Golden compares with testdata/<name>; LESSONS_UPDATE=1 writes it.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if os.Getenv("LESSONS_UPDATE") != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// Day is the n-th day of what tests tell, in the morning.
func Day(n int) time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC).AddDate(0, 0, n) }

// Hostile lists texts that must not break the structure they are written into.
var Hostile = []string{
	"a\n## ADR-002: forged\n\n- **Status**: Accepted",
	"a\r\n\r\n```\r\nunclosed",
	"```", "~~~", "`", "``a`", "`a", "a`b``c`", "<!-- hidden", "--> <script>alert(1)</script>", "<div>\n\n", "a | b | c", "| a |\n|---|",
	"# heading", "## ", "title ##", "title \\##", "C#", "# #", "#", "---", "===", "> quote", "- item", "1. item", "![x](http://example.invalid/p.png)",
	"[ADR-009](x)", "\\", "\\\\", "\\<", "C:\\dir\\<name>", "*a*", "**Status**: Deprecated", "self-learning:obs_other", "\u202egnirts\u2069", "zero\u200bwidth",
	"\x00\x1b[31m", "\u2028line\u2029", "tab\tand   blanks ", " ", "", "<<<<<<< HEAD", "=======", ">>>>>>> x", "&lt;", "\xff\xfe",
}

// HostileText draws texts made of those and of any others.
func HostileText() *rapid.Generator[string] {
	piece := rapid.OneOf(rapid.SampledFrom(Hostile), rapid.String(), rapid.SampledFrom([]string{" ", "\n", "`", "\\", "#", "<", "!", "[", "*", ":", "a"}))
	return rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces"), "") })
}

// DevflowManifest is a manifest as devflow writes it: absolute paths, its
// own hash, the anchor under another name, its own indentation.
const DevflowManifest = `{
  "schemaVersion": 1,
  "entries": [
    {
      "observationId": "obs_def456",
      "type": "decision",
      "path": "/Users/ann/src/app/.memory/knowledge/decisions.md",
      "contentHash": "1a2b3c4d",
      "renderedAt": "2026-04-10T12:00:00.123Z",
      "anchorId": "ADR-003"
    },
    {
      "observationId": "obs_abc123",
      "type": "workflow",
      "path": "/Users/ann/src/app/.claude/commands/self-learning/my-workflow.md",
      "contentHash": "deadbeef",
      "renderedAt": "2026-04-10T12:00:00Z"
    }
  ],
  "lastRun": {"by": "tool"}
}`
