package main

import (
	"slices"
	"strconv"
	"strings"
)

// Terminals that show hyperlinks (OSC 8), by what they set. There is no way to ask one.
var (
	linkingPrograms = []string{"iTerm.app", "WezTerm", "vscode", "ghostty", "zed", "Hyper", "Tabby"} // TERM_PROGRAM
	linkingTerms    = []string{"xterm-kitty", "alacritty", "foot", "xterm-ghostty", "contour"}       // TERM
	linkingMarks    = []string{"WT_SESSION", "KONSOLE_VERSION", "DOMTERM"}
)

// firstLinkingVTE is the version of VTE (GNOME's and others' terminals) from which links are safe.
const firstLinkingVTE = 5000

// showsLinks says whether the terminal shows hyperlinks. FORCE_HYPERLINK, which other programs
// read too, decides where it is set.
func showsLinks(env func(string) string) bool {
	if force := env("FORCE_HYPERLINK"); force != "" {
		return force != "0" && force != "false"
	}
	term, _, _ := strings.Cut(env("TERM"), "-direct")
	vte, _ := strconv.Atoi(env("VTE_VERSION"))
	switch {
	case env("TMUX") != "" || strings.HasPrefix(term, "screen") || term == "dumb":
		return false // what is behind may not show them
	case slices.Contains(linkingPrograms, env("TERM_PROGRAM")), slices.Contains(linkingTerms, term), vte >= firstLinkingVTE:
		return true
	}
	return slices.ContainsFunc(linkingMarks, func(name string) bool { return env(name) != "" })
}
