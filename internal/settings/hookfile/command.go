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

// Ours says whether a command is lessons' hook of that agent, in whichever form it starts
// one of the two programs.
func Ours(agent, command string) bool {
	body, ok := strings.CutSuffix(command, quiet)
	words := strings.Fields(body)
	n := len(words)
	if !ok || n < 3 || words[n-2] != agent || strings.Trim(words[n-1], letters) != "" {
		return false
	}
	word, name := words[n-3], "lessons-hook"
	if word == "hook" && n > 3 {
		word, name = words[n-4], "lessons"
	}
	return strings.Trim(word[strings.LastIndexByte(word, '/')+1:], `"'`) == name
}

// letters are what an event's name is made of, in every agent's words.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ."
