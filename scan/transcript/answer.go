package transcript

import (
	"slices"
	"strings"
)

// answers are programs whose exit status 1 is an answer and not a failure.
var answers = map[string]bool{
	"grep": true, "egrep": true, "fgrep": true, "rg": true, "ag": true, "ack": true, "zgrep": true, "diff": true, "cmp": true, "comm": true, "colordiff": true,
	"pgrep": true, "pkill": true, "test": true, "[": true, "[[": true, "which": true, "type": true, "hash": true, "expr": true, "lsof": true, "pidof": true, "fuser": true,
	"mountpoint": true, "pip-audit": true, "bzgrep": true, "xzgrep": true, "ssh-add": true,
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

// expects says whether a status other than 0 can only be an answer. A command
// that fails says why, so a line that ended silently ended with an answer where
// one of its commands can give one.
func (s shellEnd) expects(exit int, silent bool) bool {
	if exit == 141 { // SIGPIPE: the reader of a pipe had enough
		return true
	}
	asked := false
	for _, words := range s.last {
		switch {
		case expects(words, exit):
			asked = true
		case silent, harmless[words[0]] && !answers[words[0]]:
			// A failure of these would show in the text.
		default:
			return false
		}
	}
	return asked
}

// mayAnswer says whether a status of a command line can be an answer at all,
// without a parser. It may say yes where expects says no.
func mayAnswer(line string, exit int) bool {
	return hasAnswer(line, exit) && (exit == 141 || !runsOnly(line, answersNothing))
}

// answersNothing says whether no status of a program is an answer.
func answersNothing(program string) bool {
	return !answers[program] && program != "command" && answerForms[program] == nil
}

// hasAnswer says whether a line has the words of an answer anywhere.
func hasAnswer(line string, exit int) bool {
	if exit == 141 || strings.Contains(line, "$") || strings.Contains(line, "\\\n") {
		return true
	}
	line = quoteMarks.Replace(line)
	if exit == 1 && strings.Contains(line, "[") {
		return true
	}
	for name := range strings.FieldsFuncSeq(line, func(r rune) bool { return !letter(byte(r)) && (r < '-' || r > '9' || r == '/') }) {
		if exit == 1 && (answers[name] || name == "command") {
			return true
		}
		for _, f := range answerForms[name] {
			if f.allows(exit) && !slices.ContainsFunc(f.words, func(w string) bool { return !strings.Contains(line, w) }) {
				return true
			}
		}
	}
	return false
}

var quoteMarks = strings.NewReplacer(`"`, "", `'`, "")

// IsAnswer says whether a status of a command, given its words, is an answer and
// not a failure.
func IsAnswer(words []string, exit int) bool { return len(words) > 0 && expects(words, exit) }

func expects(words []string, exit int) bool {
	if answers[words[0]] || words[0] == "command" {
		return exit == 1
	}
	return slices.ContainsFunc(answerForms[words[0]], func(f answerForm) bool {
		return f.allows(exit) && !slices.ContainsFunc(f.words, func(w string) bool { return !slices.Contains(words, w) })
	})
}

// silent says whether a failure's text is its exit status alone.
func silent(text string) bool {
	return exitStatus(text) > 0 && strings.TrimSpace(strings.TrimLeft(strings.TrimPrefix(text, "Exit code "), "0123456789")) == ""
}
