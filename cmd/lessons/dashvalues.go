package main

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/lessons-cli/lessons/internal/lists"
)

// dashValues joins a flag that takes a value and the word behind it where that begins
// with a dash: --unless --rm. The parser would take the word for a flag.
func dashValues(app *kong.Application, args []string) []string {
	at, cmd := commandIn(app, args)
	if cmd == nil {
		return args
	}
	takes := lists.Table(slices.Concat(cmd.AllFlags(false)...), func(f *kong.Flag) (string, bool) { return "--" + f.Name, !f.IsBool() && !f.IsCounter() })
	joined := args[: at+1 : at+1]
	for i := at + 1; i < len(args); i++ {
		if takes[args[i]] && i+1 < len(args) && strings.HasPrefix(args[i+1], "-") && args[i+1] != "--" {
			joined = append(joined, args[i]+"="+args[i+1])
			i++
			continue
		}
		joined = append(joined, args[i])
	}
	return joined
}
