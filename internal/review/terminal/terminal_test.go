package terminal

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/lessons-cli/lessons/internal/check"
	"github.com/lessons-cli/lessons/internal/review"
)

// desk is one on which every item has the same detail.
type desk struct {
	detail review.Detail
	err    error
}

func (d desk) Queue() ([]review.Item, error)               { return nil, nil }
func (d desk) Detail(review.Item) (review.Detail, error)   { return d.detail, nil }
func (d desk) Text(review.Item) ([]byte, int, error)       { return []byte("text"), 1, nil }
func (d desk) Decide(review.Decision) (review.Done, error) { return review.Done{}, d.err }
func (d desk) Undo() (review.Item, review.Done, error)     { return review.Item{}, review.Done{}, d.err }

func (d desk) Others(i review.Item) ([]review.Choice, error) {
	return []review.Choice{{Name: i.Name, Title: i.Title, Text: i.Title}}, nil
}

const hostile = "\x1b[2J\x1b]0;owned\x07\u202egnp.exe \u200b\x9b31m\r\nsecond line\tend {+x+} [-y-]"

func hostileModel() *model {
	verbs := []review.Verb{review.Accept, review.Edit, review.Merge, review.Archive, review.Delete}
	item := review.Item{Place: hostile, Name: hostile, Kind: "lesson", Title: hostile, Path: hostile, Reasons: []review.Reason{{Why: review.Draft, Text: hostile}}, Verbs: verbs}
	calls := []string{hostile, strings.Repeat("wide 漢字 ", 40), hostile, hostile, hostile, hostile, hostile, hostile, hostile}
	detail := review.Detail{
		Agent: hostile, Text: hostile, When: hostile, Then: hostile, Quotes: calls, Seen: hostile, Other: "other", OtherName: hostile,
		History: check.History{Calls: 9, Verdict: hostile, Right: calls, Wrong: calls},
	}
	return newModel(desk{detail: detail, err: errors.New(hostile)}, &review.Session{Waiting: []review.Item{item, item}})
}

// play gives a message to the model, and what comes of it, until nothing does.
func play(m *model, msg tea.Msg) {
	for msg != nil {
		_, cmd := m.Update(msg)
		if msg = nil; cmd != nil && m.mode != giving {
			msg = cmd()
		}
	}
}

var harmless = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// Whatever a title says, and in whatever width, the terminal obeys none of it and no line is
// longer than the screen.
func TestHostileTextDoesNothing(t *testing.T) {
	for _, width := range []int{1, 20, 40, 80, 300} {
		for _, keys := range []string{"", "a", "u", "m", "m1", "m1y", "d", "e", "?", "n", "dx"} {
			m := hostileModel()
			play(m, tea.WindowSizeMsg{Width: width, Height: 24})
			play(m, m.Init()())
			for _, r := range keys {
				play(m, tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			v := m.View()
			for _, text := range []string{harmless.ReplaceAllString(v.Content, ""), v.WindowTitle} {
				if at := strings.IndexAny(text, "\x1b\u009b\a\r\t\u202e\u200b"); at >= 0 {
					t.Fatalf("width %d, keys %q: %q", width, keys, text[max(0, at-40):])
				}
			}
			for _, line := range strings.Split(v.Content, "\n") {
				if lipgloss.Width(line) > max(width, 20) && m.mode != giving {
					t.Fatalf("width %d, keys %q: a line of %d: %q", width, keys, lipgloss.Width(line), line)
				}
			}
		}
	}
}
