package terminal

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestField(t *testing.T) {
	backspace, clear := tea.KeyPressMsg{Code: tea.KeyBackspace}, tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}
	typed := func(text string) tea.KeyPressMsg { return tea.KeyPressMsg{Code: []rune(text)[0], Text: text} }
	for _, c := range []struct {
		name string
		keys []tea.KeyPressMsg
		want string
	}{
		{"letters", []tea.KeyPressMsg{typed("n"), typed("ö"), typed(" "), typed("說")}, "nö 說"},
		{"a key without characters", []tea.KeyPressMsg{typed("a"), {Code: tea.KeyUp}, {Code: 'x', Mod: tea.ModCtrl}}, "a"},
		{"backspace takes a whole character", []tea.KeyPressMsg{typed("a"), typed("說"), backspace}, "a"},
		{"backspace where nothing is", []tea.KeyPressMsg{backspace, typed("a")}, "a"},
		{"ctrl+u takes all", []tea.KeyPressMsg{typed("a"), typed("b"), clear, typed("c")}, "c"},
	} {
		var f field
		for _, key := range c.keys {
			f.press(key)
		}
		if f.text != c.want {
			t.Errorf("%s: %q, want %q", c.name, f.text, c.want)
		}
	}
	var f field
	f.add("two\nlines\x1b[31m\t!")
	if want := "two lines [31m !"; f.text != want {
		t.Errorf("pasted: %q, want %q", f.text, want)
	}
	if view := f.view("Why? "); !strings.HasPrefix(view, "Why? two lines") {
		t.Errorf("shown as %q", view)
	}
}
