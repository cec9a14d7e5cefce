package hookfile

import "strings"

const quiet = " || exit 0"

// Command is what an agent is told to run at an event: the small program for
// hooks where it is installed, else the whole one. It is never changed by a
// release, and where neither is there it succeeds without a word, so a teammate
// without lessons notices nothing.
func Command(agent, event string) string {
	return there("lessons-hook") + "lessons-hook " + agent + " " + event + "; " +
		there("lessons") + "lessons hook " + agent + " " + event + quiet
}

// Spared is Command for an agent that refuses a call whose hook fails: it succeeds even
// where the program is killed.
func Spared(agent, event string) string {
	hook := "hook " + agent + " " + event
	return found("lessons-hook") + "{ lessons-" + hook + "; exit 0; }; " + found("lessons") + "lessons " + hook + quiet
}

func there(program string) string { return found(program) + "exec " }

func found(program string) string { return "command -v " + program + " >/dev/null 2>&1 && " }

// Ours says whether a command is lessons' hook of that agent, written by this
// release or by one that has the hook as a program of its own.
func Ours(agent, command string) bool { return started(agent, command) != "" }

// Dated says whether a command is lessons' hook in a form that this release does not write
// any more. One that names its program by a path is somebody's own.
func Dated(agent, command, now string) bool {
	word := started(agent, command)
	return word != "" && command != now && !strings.Contains(word, "/")
}

// started is the word by which lessons' hook of an agent is started; empty: it is none.
func started(agent, command string) string {
	body, ok := strings.CutSuffix(command, quiet)
	if !ok {
		return ""
	}
	words := strings.Fields(body)
	n := len(words)
	if n < 3 || words[n-2] != agent || strings.Trim(words[n-1], letters) != "" {
		return ""
	}
	word, name := words[n-3], "lessons-hook"
	if word == "hook" && n > 3 {
		word, name = words[n-4], "lessons"
	}
	if strings.Trim(word[strings.LastIndexByte(word, '/')+1:], `"'`) != name {
		return ""
	}
	return word
}

// letters are what an event's name is made of, in every agent's words.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ."
