package main

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// dashValues joins a flag that takes a value and the word behind it where that begins
// with a dash: --unless --rm. The parser would take the word for a flag.
func dashValues(app *kong.Application, args []string) []string {
	at, cmd := commandIn(app, args)
	if cmd == nil {
		return args
	}
	takes := map[string]bool{}
	for _, f := range slices.Concat(cmd.AllFlags(false)...) {
		takes["--"+f.Name] = !f.IsBool() && !f.IsCounter()
	}
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
