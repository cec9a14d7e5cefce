package render

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/manifest"
)

// Folders from which agents read skills.
const (
	claudeSkills = ".claude/skills"
	sharedSkills = ".agents/skills"
)

// targets are the folders that get copies of skills. Without a word in the
// settings it is Claude Code's, and the shared one where there is such a folder:
// the repository decides, not the machine.
func (p *planner) targets() []string {
	var folders []string
	for _, agent := range p.config.Publish {
		switch strings.ToLower(agent) {
		case "none", "":
		case "claude", "claude-code":
			folders = append(folders, claudeSkills)
		default:
			folders = append(folders, sharedSkills)
		}
	}
	if len(p.config.Publish) == 0 {
		folders = append(folders, claudeSkills)
		for path := range p.files.before {
			if strings.HasPrefix(path, ".agents/") {
				folders = append(folders, sharedSkills)
				break
			}
		}
	}
	return lists.SortedUnique(folders)
}

// publishFirst writes the copies of a skill where it has none yet, and lists all
// of them. A copy that is listed was published once: if it is not there, a person
// took it away. What a person has under the name stays theirs; a copy that a
// crash left is ours.
func (p *planner) publishFirst(source string, text []byte, copies ...string) []string {
	if !strings.HasPrefix(source, skillFolder+"/") || !p.stands(source, text) {
		return copies // an earlier tool's, which lies where an agent reads it; or one that waits for trust
	}
	for _, folder := range p.targets() {
		path := skillPath(folder, skillName(source))
		if slices.Contains(copies, path) {
			continue
		}
		if why := p.obstacle(folder); why != "" {
			p.notice(fmt.Sprintf("%s is not published to %s: %s", source, folder, why))
			continue
		}
		if there, ok := p.files.read(path); ok && !sameSource(there, text) {
			p.notice(fmt.Sprintf("%s is a skill of your own: %s is not published there", path, source))
			continue
		} else if !ok && !p.files.free(path) {
			continue
		} else if !ok {
			p.files.write(path, text)
		}
		copies = append(copies, path)
	}
	return copies
}

// sameSource says whether two skills carry one marker.
func sameSource(a, b []byte) bool {
	line := markerLine(b)
	return line != "" && markerLine(a) == line
}

func markerLine(skill []byte) string {
	for line := range strings.Lines(string(knowledge.NormaliseLines(skill))) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "source: self-learning:") {
			return line
		}
	}
	return ""
}

// publish brings the copies of all skills up to date.
func (p *planner) publish() {
	for _, row := range slices.Clone(p.manifest.Rows) {
		if row.Key().Kind != knowledge.KindSkill {
			continue
		}
		if p.gone(row) {
			p.withdraw(row)
			continue
		}
		source, ok := p.files.read(row.Path)
		switch {
		case ok && p.stands(row.Path, source):
			p.publishSkill(row, source)
		case ok && !p.published(row, source):
			p.notice(fmt.Sprintf("%s is not published: others wrote it; lessons trust accepts it", row.Path))
		}
	}
	for _, t := range p.manifest.Tombstones {
		if t.Key().Kind == knowledge.KindSkill {
			p.withdraw(t.Row)
		}
	}
}

// published says whether a skill has copies, and all of them say what it says.
func (p *planner) published(row manifest.Row, source []byte) bool {
	return len(row.Copies) > 0 && !slices.ContainsFunc(row.Copies, func(path string) bool {
		text, ok := p.files.read(path)
		return ok && !bytes.Equal(text, source)
	})
}

// publishSkill brings the copies of one skill up to date. A copy that was
// deleted stays deleted; an edited copy flows back into a source that nobody
// edited; where both were edited it is said.
func (p *planner) publishSkill(row manifest.Row, source []byte) {
	first := len(row.Copies)
	row.Copies = p.publishFirst(row.Path, source, slices.Clone(row.Copies)...)
	changed := len(row.Copies) > first
	for _, path := range row.Copies {
		text, ok := p.files.read(path)
		if !ok || p.ours(row, text, source) {
			continue
		}
		_, planned := p.files.after[row.Path]
		if planned || !untouched(source) {
			p.notice(fmt.Sprintf("%s and %s were both edited: make them equal, or delete %s", row.Path, path, path))
			continue
		}
		if !p.stands(row.Path, text) {
			p.notice(fmt.Sprintf("%s was edited, and %s stays as it is: commit the edit if it is yours", path, row.Path))
			continue
		}
		source = text
		p.files.write(row.Path, text)
	}
	for _, path := range row.Copies {
		if text, ok := p.files.read(path); ok && p.ours(row, text, source) && string(text) != string(source) {
			p.files.write(path, source)
			changed = true
		}
	}
	published := knowledge.ContentHash(source)
	if published == row.ContentHash {
		published = ""
	}
	if _, planned := p.files.after[row.Path]; (changed || planned) && len(row.Copies) > 0 {
		row.Published = published
		p.manifest.PutRow(row)
	}
}

// ours says whether a copy has a text that was rendered or published, now or
// before.
func (p *planner) ours(row manifest.Row, copied, source []byte) bool {
	hash := knowledge.ContentHash(copied)
	if untouched(copied) || hash == knowledge.ContentHash(source) || hash == row.ContentHash || hash == row.Published {
		return true
	}
	old, ok := p.old.Row(row.Key())
	return ok && hash == old.Published
}

// withdraw removes the copies of a skill that people removed, except those that
// somebody edited.
func (p *planner) withdraw(row manifest.Row) {
	for _, path := range row.Copies {
		text, ok := p.files.read(path)
		switch {
		case !ok:
		case markerLine(text) != "source: self-learning:"+row.ObservationID: // somebody else's by now
		case untouched(text), knowledge.SameHash(row.ContentHash, text), knowledge.ContentHash(text) == row.Published:
			p.files.write(path, nil)
		default:
			p.notice(fmt.Sprintf("%s is left, because it was edited: its source %s was removed", path, row.Path))
		}
	}
}
