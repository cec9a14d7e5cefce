package main

import "testing"

func TestLinksAreForTerminalsThatShowThem(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{}, false},
		{map[string]string{"TERM": "xterm-256color"}, false},
		{map[string]string{"TERM": "xterm-kitty"}, true},
		{map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "vscode"}, true},
		{map[string]string{"TERM": "xterm-256color", "VTE_VERSION": "7600"}, true},
		{map[string]string{"TERM": "xterm-256color", "VTE_VERSION": "4601"}, false},
		{map[string]string{"WT_SESSION": "x"}, true},
		{map[string]string{"TERM": "tmux-256color", "TMUX": "/tmp/x", "TERM_PROGRAM": "tmux", "VTE_VERSION": "7600"}, false},
		{map[string]string{"FORCE_HYPERLINK": "1"}, true},
		{map[string]string{"FORCE_HYPERLINK": "0", "TERM": "xterm-kitty"}, false},
	} {
		if got := showsLinks(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %t", c.env, got)
		}
	}
}
