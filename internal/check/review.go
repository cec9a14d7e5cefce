package check

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/plain"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/artifact"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// reviewed names what a change brings that agents or git take up: nothing is wrong with it,
// and whoever reviews the change is to read it.
func (c *checker) reviewed() {
	for _, path := range c.Links {
		if knowledge.InFolders(path) {
			c.notice(path, 1, "link", "a symbolic link: lessons does not follow it")
		}
	}
	for _, a := range c.Added {
		c.named(a)
		switch {
		case a.Text == nil:
		case a.Path == attributesPath:
			c.attributes(a)
		case a.Path == observe.LogPath:
			c.notice(a.Path, 1, "new-log", "what sessions are said to have met: it counts in a clone once it is trusted there")
		case slices.Contains(c.AgentSettings, a.Path):
			c.notice(a.Path, 1, "agent-settings", "agents run what it names: read it as you read code")
		default:
			c.newEntries(a)
			c.loaded(a)
			c.blocks(a)
		}
	}
}

// named says which names of new files show as something else, or are the name of another
// file where case does not count.
func (c *checker) named(a Added) {
	if !a.Own || a.Before != nil {
		return
	}
	if plain.Line(a.Path) != a.Path {
		c.notice(a.Path, 1, "file-name", "the name has characters that do not show")
		return
	}
	for _, other := range c.Snapshot.Artifacts {
		if other.Path != a.Path && strings.EqualFold(other.Path, a.Path) {
			c.notice(a.Path, 1, "file-name", "where case does not count, it is the same file as "+other.Path)
			return
		}
	}
}

// newEntries names the entries whose words a change brings: sessions start with their titles.
// One that settles what another one settles is named with that.
func (c *checker) newEntries(a Added) {
	if entryKind(a.Path) == "" {
		return
	}
	before, _ := entry.ParseBook(a.Path, a.Before)
	was := lists.SetOf(before.Entries, entry.Entry.WordsHash)
	var fresh []entry.Entry
	now, _ := entry.ParseBook(a.Path, a.Text)
	for _, e := range now.Entries {
		if e.Active() && !was[e.WordsHash()] {
			fresh = append(fresh, e)
			c.notice(a.Path, e.Line, "new-entry", e.ID()+": sessions start with its title, once it is trusted")
		}
	}
	c.found = append(c.found, Alike(OfEntries(fresh), OfEntries(c.Snapshot.Entries()))...)
}

// runs is what agents run when they load a skill or a command.
var runs = automata.Lazily("(?m)!`|^[ \t]*```!")

// loaded names skills and commands that a change brings, and what runs when they are loaded.
func (c *checker) loaded(a Added) {
	kind := artifact.LoadedKind(a.Path)
	if kind == "" {
		return
	}
	text := "agents load it by themselves, whether somebody here trusts it or not"
	if strings.HasPrefix(a.Path, ".lessons/") {
		text = "render publishes it to agents, once it is trusted"
	}
	c.notice(a.Path, 1, "new-"+string(kind), text)
	for _, at := range runs().FindAllIndex(a.Text, -1) {
		if line := knowledge.LineAt(a.Text, at[0]); a.Lines[line] {
			c.notice(a.Path, line, "runs-program", "an agent that loads it runs this")
		}
	}
}

// blocks names the blocks in which agents report: who reads such a file may repeat one.
func (c *checker) blocks(a Added) {
	if c.IsTag == nil {
		return
	}
	for i, line := range strings.Split(string(a.Text), "\n") {
		if a.Lines[i+1] && c.IsTag(strings.TrimLeft(line, "> \t")) {
			c.notice(a.Path, i+1, "agent-block", "a block as agents report in: one that reads it may repeat it as its own")
		}
	}
}

const attributesPath = ".gitattributes"

// attributes names the lines that tell git, or who shows a change, to treat knowledge
// otherwise than init said.
func (c *checker) attributes(a Added) {
	for i, line := range strings.Split(string(a.Text), "\n") {
		if a.Lines[i+1] && !slices.Contains(c.Attributes, strings.TrimSpace(line)) && attribute().MatchString(line) {
			c.notice(a.Path, i+1, "attributes", "git, or who shows changes, may treat knowledge otherwise by this line: it can hide changes or decide merges")
		}
	}
}

// attribute is what hides changes, decides merges or changes contents.
var attribute = automata.Lazily(`^[^#].*\s(-diff|diff=|binary|-text|linguist-generated|linguist-vendored|merge|-merge|filter=|working-tree-encoding=|ident\b|export-)`)
