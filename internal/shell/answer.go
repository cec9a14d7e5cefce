package shell

import "slices"

// givesAnswers says whether a program's exit status 1 is an answer and not a
// failure.
func givesAnswers(program string) bool {
	switch program {
	case "grep", "egrep", "fgrep", "rg", "ag", "ack", "zgrep", "diff", "cmp", "comm", "colordiff", "pgrep", "pkill", "test", "[", "[[", "which", "type", "hash", "expr", "lsof",
		"pidof", "fuser", "mountpoint", "pip-audit", "bzgrep", "xzgrep", "ssh-add":
		return true
	}
	return false
}

// answerForm is a sub-command or an option that turns a status into an answer.
type answerForm struct {
	words []string // all of which must be there
	exits []int
}

func (f answerForm) allows(exit int) bool { return f.exits == nil || slices.Contains(f.exits, exit) }

// answerForms are those of programs whose status is no answer otherwise. An
// auditor's status says that it found something to report.
var answerForms = map[string][]answerForm{
	"git": {
		{[]string{"diff", "--exit-code"}, []int{1}},
		{[]string{"diff", "--quiet"}, []int{1}},
		{[]string{"diff", "--no-index"}, []int{1}},
		{[]string{"diff", "--check"}, []int{1, 2}},
		{[]string{"diff-index"}, []int{1}},
		{[]string{"diff-files"}, []int{1}},
		{[]string{"grep"}, []int{1}},
		{[]string{"check-ignore"}, []int{1}},
		{[]string{"merge-base"}, []int{1}},
		{[]string{"config"}, []int{1}},
		{[]string{"show-ref"}, []int{1}},
		{[]string{"symbolic-ref", "-q"}, []int{1}},
		{[]string{"rev-parse", "-q"}, []int{1}},
		{[]string{"rev-parse", "--quiet"}, []int{1}},
		{[]string{"cat-file", "-e"}, []int{1}},
		{[]string{"ls-files", "--error-unmatch"}, []int{1}},
		{[]string{"ls-remote", "--exit-code"}, []int{2}},
	},
	"gh":           {{[]string{"pr", "checks"}, []int{1, 8}}, {[]string{"run", "watch", "--exit-status"}, []int{1}}, {[]string{"run", "view", "--exit-status"}, []int{1}}},
	"jq":           {{[]string{"-e"}, []int{1, 4}}, {[]string{"--exit-status"}, []int{1, 4}}},
	"yq":           {{[]string{"-e"}, []int{1}}, {[]string{"--exit-status"}, []int{1}}},
	"systemctl":    {{[]string{"is-active"}, []int{3, 4}}, {[]string{"is-enabled"}, []int{1}}, {[]string{"is-failed"}, []int{1}}, {[]string{"status"}, []int{3, 4}}},
	"service":      {{[]string{"status"}, []int{1, 3}}},
	"terraform":    {{[]string{"plan", "-detailed-exitcode"}, []int{2}}, {[]string{"fmt", "-check"}, []int{3}}},
	"tofu":         {{[]string{"plan", "-detailed-exitcode"}, []int{2}}, {[]string{"fmt", "-check"}, []int{3}}},
	"kubectl":      {{[]string{"diff"}, []int{1}}, {[]string{"auth", "can-i"}, []int{1}}},
	"helm":         {{[]string{"diff"}, []int{2}}},
	"npm":          {{[]string{"outdated"}, []int{1}}, {[]string{"audit"}, []int{1}}},
	"pnpm":         {{[]string{"outdated"}, []int{1}}, {[]string{"audit"}, []int{1}}},
	"yarn":         {{[]string{"outdated"}, []int{1}}, {[]string{"audit"}, nil}},
	"bun":          {{[]string{"audit"}, []int{1}}},
	"cargo":        {{[]string{"audit"}, []int{1}}, {[]string{"deny"}, nil}, {[]string{"outdated", "--exit-code"}, nil}},
	"composer":     {{[]string{"audit"}, nil}, {[]string{"outdated"}, []int{1}}},
	"bundle":       {{[]string{"audit"}, []int{1}}, {[]string{"outdated"}, []int{1}}},
	"bundle-audit": {{nil, []int{1}}},
	"govulncheck":  {{nil, []int{3}}},
	"snyk":         {{[]string{"test"}, []int{1}}},
	"gitleaks":     {{nil, []int{1}}},
	"rpm":          {{[]string{"-q"}, []int{1}}},
	"dpkg":         {{[]string{"-s"}, []int{1}}, {[]string{"-l"}, []int{1}}},
	"brew":         {{[]string{"outdated"}, []int{1}}, {[]string{"list"}, []int{1}}},
	"pip":          {{[]string{"show"}, []int{1}}},
	"pip3":         {{[]string{"show"}, []int{1}}},
	"getent":       {{nil, []int{2}}},
	"tmux":         {{[]string{"has-session"}, []int{1}}},
	"nc":           {{[]string{"-z"}, []int{1}}},
	"pg_isready":   {{nil, []int{1, 2}}},
	"crontab":      {{[]string{"-l"}, []int{1}}},
}

// Answers says whether an exit status of the command is an answer and not a
// failure.
func (c *Command) Answers(exit int) bool {
	if givesAnswers(c.Program) || c.Program == "command" {
		return exit == 1
	}
	forms := answerForms[c.Program]
	if len(forms) == 0 {
		return false
	}
	words := slices.Concat(c.Sub, c.FlagNames(), c.Operands)
	return slices.ContainsFunc(forms, func(f answerForm) bool {
		return f.allows(exit) && !slices.ContainsFunc(f.words, func(w string) bool { return !slices.Contains(words, w) })
	})
}

// Answers says whether a status other than 0 of the line can only be an answer. A
// command that fails says why, so a line that ended silently ended with an answer
// where one of its commands can give one.
func (l *Line) Answers(exit int, silent bool) bool {
	if exit == 141 { // SIGPIPE: the reader of a pipe had enough
		return true
	}
	asked := false
	for _, c := range l.Last {
		switch {
		case c.Answers(exit):
			asked = true
		case silent, isHarmless(c.Program) && !givesAnswers(c.Program):
			// A failure of these would show in the text.
		default:
			return false
		}
	}
	return asked
}
