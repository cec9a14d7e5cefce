package hook

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/inject"
)

// wrongCall are words in which programs say that the call itself was wrong, or that
// something it needs is not there. What a test or a compiler finds is none of them.
var wrongCall = []string{
	"unknown option", "unknown flag", "unknown shorthand", "unknown command", "unknown subcommand", "unknown argument", "unknown json field", "unrecognized", "unrecognised",
	"illegal option", "invalid option", "invalid flag", "invalid argument", "invalid value", "no such option", "no such command", "not a git command", "flag provided but not defined",
	"unexpected argument", "missing required", "required flag", "requires an argument", "requires at least", "too many arguments", "mutually exclusive", "usage:",
	"missing script", "no rule to make target", "unknown revision", "bad revision", "command not found", "executable file not found", "not recognized as",
	"authentication failed", "not logged in", "unauthorized", "connection refused", "could not connect", "cannot connect", "no module named", "cannot find module",
}

// How much of an answer is looked at, in bytes: its beginning and its end; of one that the
// agent does not call a failure, what it begins with.
const (
	answerEnds  = 2 << 10
	answerBegin = 200
)

// wrong says whether a call's answer says that the call was wrong.
func wrong(c *agent.Call) bool {
	text := c.Response
	switch {
	case c.Failed && len(text) > 2*answerEnds:
		text = text[:answerEnds] + "\n" + text[len(text)-answerEnds:]
	case c.Failed:
	case c.Unclear:
		text = text[:min(len(text), answerBegin)]
	default:
		return false
	}
	text = strings.ToLower(text)
	return slices.ContainsFunc(wrongCall, func(words string) bool { return strings.Contains(text, words) })
}

// lookers are programs that only look around or print: they mend nothing.
var lookers = []string{
	"cd", "ls", "cat", "head", "tail", "grep", "rg", "find", "sed", "awk", "wc", "sort", "echo", "printf", "pwd", "which", "type", "command",
	"test", "[", "true", "sleep", "export", "tree", "stat", "file", "?",
}

func looks(r inject.Run) bool { return slices.Contains(lookers, r.Program()) }

// mended finds the failed call of this session that a call mends which worked, as the
// session's own record has them. Where files were changed in between, that mended it.
func mended(s *inject.Session, c *agent.Call) (thing, what string) {
	if c.Failed || c.Command == "" || wrong(c) {
		return "", ""
	}
	lately := s.Lately()
	at := -1
	for i, t := range lately {
		if t.Wrong {
			at = i
		}
	}
	if at < 0 {
		return "", ""
	}
	before, failed, since := lately[:at], lately[at], lately[at+1:]
	for _, bad := range failed.Runs {
		for _, good := range s.Runs(c.Command) {
			known := slices.ContainsFunc(before, func(t inject.Trace) bool { return t.Outcome == inject.OK && slices.ContainsFunc(t.Runs, good.Same) })
			if how := mends(bad, good, since); how != "" && !known {
				return "mended " + bad.Name + " " + strings.Join(bad.Words, " "), shown(bad.Name) + " failed in this session; now " + how + "."
			}
		}
	}
	return "", ""
}

// mends says how a command that worked mends one that failed, from what happened since:
// the same program called in another way, the same call after something else ran, or the
// next call, of another program with the same words. Empty: it does not.
func mends(bad, good inject.Run, since []inject.Trace) string {
	var ran []string
	for _, t := range since {
		for _, r := range t.Runs {
			if t.Outcome != inject.Failed && !looks(r) {
				ran = append(ran, r.Name)
			}
		}
	}
	edited := slices.ContainsFunc(since, func(t inject.Trace) bool { return t.Act == inject.ActWrite })
	switch {
	case edited, good.Masked, looks(bad), looks(good):
		return ""
	case bad.Same(good):
		if len(ran) > 0 && !slices.Contains(ran, good.Name) {
			return "it works, after " + shown(ran[len(ran)-1]) + " ran"
		}
	case bad.Name == good.Name:
		return "it works, called in another way"
	case len(ran) == 0 && len(bad.Words) > 0 && !slices.ContainsFunc(bad.Words, func(w string) bool { return !slices.Contains(good.Words, w) }):
		return shown(good.Name) + " works instead"
	}
	return ""
}

// shown is a command as it is told: of one whose target is more than a name, the program.
func shown(name string) string {
	if strings.ContainsAny(name, "`\n\r<>") {
		name, _, _ = strings.Cut(name, " ")
	}
	return "`" + name + "`"
}
