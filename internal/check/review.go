package check

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// reviewed names what a change brings that agents or git take up: nothing is wrong with it,
// and whoever reviews the change is to read it.
func reviewed(in Input) []knowledge.Problem {
	var found []knowledge.Problem
	for _, path := range in.Links {
		if knowledge.InFolders(path) {
			found = append(found, notice(path, 1, "link", "a symbolic link: lessons does not follow it"))
		}
	}
	for _, a := range in.Added {
		found = append(found, named(in, a)...)
		switch {
		case a.Text == nil:
		case a.Path == attributesPath:
			found = append(found, attributes(in, a)...)
		case a.Path == observe.LogPath:
			found = append(found, notice(a.Path, 1, "new-log", "what sessions are said to have met: it counts in a clone once it is trusted there"))
		case slices.Contains(in.AgentSettings, a.Path):
			found = append(found, notice(a.Path, 1, "agent-settings", "agents run what it names: read it as you read code"))
		default:
			found = append(found, newEntries(in, a)...)
			found = append(found, loaded(a)...)
			found = append(found, blocks(in, a)...)
		}
	}
	return found
}

// named says which names of new files show as something else, or are the name of another
// file where case does not count.
func named(in Input, a Added) []knowledge.Problem {
	if !a.Own || a.Before != nil {
		return nil
	}
	if plain.Line(a.Path) != a.Path {
		return []knowledge.Problem{notice(a.Path, 1, "file-name", "the name has characters that do not show")}
	}
	for _, other := range in.Snapshot.Artifacts {
		if other.Path != a.Path && strings.EqualFold(other.Path, a.Path) {
			return []knowledge.Problem{notice(a.Path, 1, "file-name", "where case does not count, it is the same file as "+other.Path)}
		}
	}
	return nil
}

// newEntries names the entries whose words a change brings: sessions start with their titles.
// One that settles what another one settles is named with that.
func newEntries(in Input, a Added) []knowledge.Problem {
	if entryKind(a.Path) == "" {
		return nil
	}
	was := map[string]bool{}
	before, _ := entry.ParseBook(a.Path, a.Before)
	for _, e := range before.Entries {
		was[e.WordsHash()] = true
	}
	var found []knowledge.Problem
	var fresh []entry.Entry
	now, _ := entry.ParseBook(a.Path, a.Text)
	for _, e := range now.Entries {
		if e.Active() && !was[e.WordsHash()] {
			fresh = append(fresh, e)
			found = append(found, notice(a.Path, e.Line, "new-entry", e.ID()+": sessions start with its title, once it is trusted"))
		}
	}
	return append(found, Alike(OfEntries(fresh), OfEntries(entries(in.Snapshot)))...)
}

// runs is what agents run when they load a skill or a command.
var runs = automata.Lazily("(?m)!`|^[ \t]*```!")

// loaded names skills and commands that a change brings, and what runs when they are loaded.
func loaded(a Added) []knowledge.Problem {
	kind := artifact.LoadedKind(a.Path)
	if kind == "" {
		return nil
	}
	text := "agents load it by themselves, whether somebody here trusts it or not"
	if strings.HasPrefix(a.Path, ".lessons/") {
		text = "render publishes it to agents, once it is trusted"
	}
	found := []knowledge.Problem{notice(a.Path, 1, "new-"+string(kind), text)}
	for _, at := range runs().FindAllIndex(a.Text, -1) {
		if line := lineAt(string(a.Text), at[0]); a.Lines[line] {
			found = append(found, notice(a.Path, line, "runs-program", "an agent that loads it runs this"))
		}
	}
	return found
}

// blocks names the blocks in which agents report: who reads such a file may repeat one.
func blocks(in Input, a Added) []knowledge.Problem {
	if in.IsTag == nil {
		return nil
	}
	var found []knowledge.Problem
	for i, line := range strings.Split(string(a.Text), "\n") {
		if a.Lines[i+1] && in.IsTag(strings.TrimLeft(line, "> \t")) {
			found = append(found, notice(a.Path, i+1, "agent-block", "a block as agents report in: one that reads it may repeat it as its own"))
		}
	}
	return found
}

const attributesPath = ".gitattributes"

// attributes names the lines that tell git, or who shows a change, to treat knowledge
// otherwise than init said.
func attributes(in Input, a Added) []knowledge.Problem {
	var found []knowledge.Problem
	for i, line := range strings.Split(string(a.Text), "\n") {
		if a.Lines[i+1] && !slices.Contains(in.Attributes, strings.TrimSpace(line)) && attribute().MatchString(line) {
			found = append(found, notice(a.Path, i+1, "attributes", "git, or who shows changes, may treat knowledge otherwise by this line: it can hide changes or decide merges"))
		}
	}
	return found
}

// attribute is what hides changes, decides merges or changes contents.
var attribute = automata.Lazily(`^[^#].*\s(-diff|diff=|binary|-text|linguist-generated|linguist-vendored|merge|-merge|filter=|working-tree-encoding=|ident\b|export-)`)
