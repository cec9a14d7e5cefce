package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints a script made from the command grammar, so that it is never behind it.
func (c *completionCommand) Run(inv *invocation) error {
	words := completionWords(inv.parser.Model)
	switch c.Shell {
	case "bash":
		inv.block(bashCompletion(words))
	case "zsh":
		inv.block(zshCompletion(words))
	case "fish":
		inv.block(fishCompletion(words))
	}
	return nil
}

// completion is what can follow one command.
type completion struct {
	name, help string
	flags      []string
	values     []string // of an argument with a fixed set
}

func completionWords(app *kong.Application) []completion {
	var all []completion
	for _, cmd := range app.Children {
		if cmd.Hidden {
			continue
		}
		w := completion{name: cmd.Name, help: cmd.Help}
		for _, f := range cmd.Flags {
			if !f.Hidden {
				w.flags = append(w.flags, "--"+f.Name)
			}
		}
		for _, a := range cmd.Positional {
			if a.Enum != "" {
				w.values = append(w.values, strings.Split(a.Enum, ",")...)
			}
		}
		all = append(all, w)
	}
	return all
}

func bashCompletion(words []completion) string {
	var b strings.Builder
	b.WriteString("_lessons() {\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} words=\n\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\twords='")
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.name)
	}
	b.WriteString("'\n\telse\n\t\tcase ${COMP_WORDS[1]} in\n")
	for _, w := range words {
		fmt.Fprintf(&b, "\t\t%s) words='%s' ;;\n", w.name, strings.Join(append(w.values, w.flags...), " "))
	}
	b.WriteString("\t\tesac\n\tfi\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o default -F _lessons lessons\n")
	return b.String()
}

func zshCompletion(words []completion) string {
	var b strings.Builder
	b.WriteString("#compdef lessons\n_lessons() {\n\tif (( CURRENT == 2 )); then\n\t\tlocal -a commands=(\n")
	for _, w := range words {
		fmt.Fprintf(&b, "\t\t\t'%s:%s'\n", w.name, strings.NewReplacer("'", "", ":", "").Replace(w.help))
	}
	b.WriteString("\t\t)\n\t\t_describe command commands\n\t\treturn\n\tfi\n\tcase $words[2] in\n")
	for _, w := range words {
		fmt.Fprintf(&b, "\t%s) compadd -- %s ;;\n", w.name, strings.Join(append(w.values, w.flags...), " "))
	}
	b.WriteString("\tesac\n}\ncompdef _lessons lessons\n")
	return b.String()
}

func fishCompletion(words []completion) string {
	var b strings.Builder
	for _, w := range words {
		fmt.Fprintf(&b, "complete -c lessons -n __fish_use_subcommand -f -a %s -d '%s'\n", w.name, strings.ReplaceAll(w.help, "'", `\'`))
		for _, f := range w.flags {
			fmt.Fprintf(&b, "complete -c lessons -n '__fish_seen_subcommand_from %s' -l %s\n", w.name, strings.TrimPrefix(f, "--"))
		}
		if len(w.values) > 0 {
			fmt.Fprintf(&b, "complete -c lessons -n '__fish_seen_subcommand_from %s' -f -a '%s'\n", w.name, strings.Join(w.values, " "))
		}
	}
	return b.String()
}
