package check

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"pgregory.net/rapid"

	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

var (
	inCode = regexp.MustCompile(`(?s)<code[^>]*>.*?</code>`)
	ours   = regexp.MustCompile(`</?(?:h3|h4|p|ul|li|pre)>|<!-- lessons check -->`)
)

// Whatever a change says, a comment shows it as code: outside of code there is no word of
// it, so no mention, link, image, reference or HTML of its own.
func TestCommentHoldsHostileText(t *testing.T) {
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	rapid.Check(t, func(t *rapid.T) {
		pieces := []string{"EVIL", "`", "```", "~~~", "\n", "\n\n", "    ", "- ", "# ", "> ", "|", "<script>", "<!--", "-->", "</code>", "</details>", "@EVIL", "#1", "![EVIL](https://evil.example)", "https://evil.example", "\\", "&lt;", "\r", "\u202e", "*", "_"}
		text := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, name), "")
		}
		l := &lesson.Lesson{
			Title: text("title"), Body: text("body"), Path: text("path"), Kind: lesson.Warning, Status: text("status"), Action: text("action"), Source: text("source"),
			ReviewedBy: text("reviewer"), Quotes: []string{text("quote")}, Triggers: lesson.Trigger{Commands: []string{text("command")}},
		}
		history := History{Calls: 3, Verdict: text("verdict"), Right: []string{text("right")}, Wrong: []string{text("wrong")}, Lost: []string{text("lost")}}
		comment := Comment([]Changed{
			{Path: text("file"), Lesson: l, History: history, New: true},
			{Path: text("file"), Was: l, History: history},
			{Path: text("file"), Entry: &artifact.Artifact{Anchor: text("anchor"), Text: []byte(text("entry"))}},
		}, []knowledge.Problem{{Path: text("at"), Rule: "rule", Text: text("finding")}, {Path: text("at"), Rule: "rule", Text: text("notice"), Notice: true}})
		var page bytes.Buffer
		if err := markdown.Convert([]byte(comment), &page); err != nil {
			t.Fatal(err)
		}
		outside := ours.ReplaceAllString(inCode.ReplaceAllString(page.String(), ""), "")
		if strings.ContainsAny(outside, "<>@&`") || strings.Contains(outside, "EVIL") || strings.Contains(outside, "evil") || strings.Contains(outside, "#1") {
			t.Fatalf("outside of code:\n%s\nof\n%s", outside, comment)
		}
	})
}

func TestCommentFitsACodeHost(t *testing.T) {
	long := strings.Repeat("x", 9000)
	changed := make([]Changed, 40)
	for i := range changed {
		changed[i] = Changed{Path: "p", Entry: &artifact.Artifact{Anchor: "ADR-001", Text: []byte(long)}}
	}
	got := string(Comment(changed, nil))
	if len(got) > 65_000 || !strings.Contains(got, "are not shown here") {
		t.Errorf("%d bytes, which end in %q", len(got), got[len(got)-80:])
	}
}
