package main

import (
	"context"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/lessons-cli/lessons/internal/agent"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/catalog"
	"github.com/lessons-cli/lessons/knowledge/config"
	"github.com/lessons-cli/lessons/migrate"
)

// candidate is a word that may stand where the cursor is.
type candidate struct{ word, about string }

// complete prints what may follow on a command line, a word a line, with what it is behind a
// tab. The last of words is the one that is being typed; shells ask this, not people.
func (inv *invocation) complete(ctx context.Context, words []string) error {
	var g grammar
	parser, err := newParser(&g, inv.sys, new(bool))
	if err != nil {
		return err
	}
	words = joinBroken(words)
	typed := words[len(words)-1]
	for _, c := range inv.candidates(ctx, parser.Model, words) {
		if strings.HasPrefix(c.word, typed) {
			inv.printf("%s\t%s\n", c.word, shorten(c.about, topicWidth))
		}
	}
	return nil
}

// joinBroken joins what bash breaks at "=" and ":", and leaves the value of a flag alone, as
// bash puts it back: --kind = adr is --kind adr.
func joinBroken(words []string) []string {
	var joined []string
	for i, word := range words {
		switch {
		case word == "=" && i+1 < len(words):
		case word == "=":
			joined = append(joined, "")
		default:
			joined = append(joined, word)
		}
	}
	if len(joined) == 0 {
		return []string{""}
	}
	return joined
}

func (inv *invocation) candidates(ctx context.Context, app *kong.Application, words []string) []candidate {
	before, typed := words[:len(words)-1], words[len(words)-1]
	if len(before) > 1 && before[0] == "-C" {
		inv.sys, before = inv.sys.in(before[1]), before[2:]
	}
	if len(before) == 0 {
		return commandWords(app.Children)
	}
	_, cmd := commandIn(app, before[:1])
	if cmd == nil {
		return nil
	}
	at, flag := 0, (*kong.Flag)(nil)
	var args []string
	for _, word := range before[1:] {
		switch {
		case flag != nil:
			flag = nil
		case strings.HasPrefix(word, "-"):
			flag = takesNext(cmd, word)
		case at == 0 && childNamed(cmd, word) != nil:
			cmd = childNamed(cmd, word)
		default:
			at++
			args = append(args, word)
		}
	}
	name, _, isValue := strings.Cut(typed, "=")
	switch given := takesNext(cmd, name); {
	case flag != nil:
		return inv.flagValues(cmd, flag)
	case isValue && given != nil:
		return prefixed(name+"=", inv.flagValues(cmd, given))
	case strings.HasPrefix(typed, "-"):
		return flagWords(cmd)
	case len(cmd.Children) > 0:
		return commandWords(cmd.Children)
	case at < len(cmd.Positional):
		return inv.argumentValues(ctx, app, cmd, cmd.Positional[at], args)
	}
	return nil
}

func childNamed(cmd *kong.Node, name string) *kong.Node {
	child, _ := lists.Find(cmd.Children, func(child *kong.Node) bool { return child.Name == name })
	return child
}

// takesNext is the flag of that name, where a word follows it.
func takesNext(cmd *kong.Node, word string) *kong.Flag {
	f, _ := lists.Find(slices.Concat(cmd.AllFlags(true)...), func(f *kong.Flag) bool {
		return !f.IsBool() && !f.IsCounter() && (word == "--"+f.Name || f.Short != 0 && word == "-"+string(f.Short))
	})
	return f
}

func commandWords(commands []*kong.Node) (all []candidate) {
	for _, cmd := range commands {
		if !cmd.Hidden {
			all = append(all, candidate{cmd.Name, cmd.Help})
		}
	}
	return all
}

func flagWords(cmd *kong.Node) (all []candidate) {
	return lists.Map(slices.Concat(cmd.AllFlags(true)...), func(f *kong.Flag) candidate { return candidate{"--" + f.Name, f.Help} })
}

func plainWords(words ...string) (all []candidate) {
	for _, word := range words {
		if word != "" {
			all = append(all, candidate{word: word})
		}
	}
	return all
}

func prefixed(prefix string, all []candidate) []candidate {
	for i := range all {
		all[i].word = prefix + all[i].word
	}
	return all
}

// flagValues are the words of a flag: those that it names, and those of flags that commands share.
func (inv *invocation) flagValues(cmd *kong.Node, flag *kong.Flag) []candidate {
	switch {
	case flag.Enum != "":
		return plainWords(strings.Split(flag.Enum, ",")...)
	case flag.Name == "agent":
		return plainWords(namesOf(agent.All)...)
	case flag.Name == "status" && cmd.Name == "list":
		return plainWords(statuses...)
	}
	return nil
}

// argumentValues are the words of an argument, of which some stand before it.
func (inv *invocation) argumentValues(ctx context.Context, app *kong.Application, cmd *kong.Node, arg *kong.Positional, before []string) []candidate {
	var all []candidate
	switch place := cmd.Name + " " + arg.Name; {
	case arg.Enum != "":
		return plainWords(strings.Split(arg.Enum, ",")...)
	case strings.EqualFold(arg.Name, "id"):
		return inv.ids(ctx)
	case place == "config key":
		all = append(all, lists.Map(config.Default().Settings(), func(s config.Setting) candidate { return candidate{s.Key, s.About} })...)
	case place == "config value":
		for _, s := range config.Default().Settings() {
			if s.Key == before[0] {
				return plainWords(s.Words...)
			}
		}
	case place == "help name":
		all = commandWords(app.Children)
		all = append(all, lists.Map(topics, func(t topic) candidate { return candidate{t.name, t.about} })...)
	case place == "import format":
		all = append(all, lists.Map(migrate.Formats, func(f migrate.Format) candidate { return candidate{f.Name, f.About} })...)
	case slices.Contains([]string{"try tool", "explain tool"}, place):
		return plainWords("Bash", "Edit", "Write", "Read")
	}
	return all
}

// ids are the names of what is known here, with their titles.
func (inv *invocation) ids(ctx context.Context) (all []candidate) {
	p, err := inv.project(ctx)
	if err != nil {
		return nil
	}
	s, err := p.Store.Load()
	if err != nil {
		return nil
	}
	return append(all, lists.Map(catalog.Artifacts(s), func(item catalog.Item) candidate { return candidate{item.Name(), item.Title} })...)
}
