package project

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/gitstate/gitdir"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/observe"
)

// Bounds of the table. Scores ask for two projects, so no row needs many; of
// too many rows those that two projects met are kept first, then by hash, so
// that the same rows stay whoever wrote last.
const (
	maxSeenRows     = 20_000
	maxSeenProjects = 8
	seenHeader      = "lessons-seen 1"
)

// seenTable maps a trigger's hash to the hashes of the projects that met it. It holds no text, and losing it costs a bonus only.
type seenTable map[string][]string

func (m Machine) seenPath() string { return filepath.Join(m.StateHome(), "seen") }

// readSeen reads the table. What cannot be read is left out: a line of another
// form, or all of a newer version.
func (m Machine) readSeen() seenTable {
	t := seenTable{}
	data, err := m.FS.ReadFile(m.seenPath())
	if err != nil {
		return t
	}
	header, rows, _ := strings.Cut(string(data), "\n")
	if header != seenHeader {
		return t
	}
	for line := range strings.Lines(rows) {
		if f := strings.Fields(line); len(f) >= 2 {
			t[f[0]] = sortedHashes(f[1:])
		}
	}
	return t
}

// newerSeen says whether a newer version wrote the table: then it is only read.
func (m Machine) newerSeen() bool {
	data, err := m.FS.ReadFile(m.seenPath())
	header, _, _ := bytes.Cut(data, []byte("\n"))
	return err == nil && bytes.HasPrefix(header, []byte("lessons-seen ")) && string(header) != seenHeader
}

func sortedHashes(hashes []string) []string {
	set := lists.SortedUnique(hashes)
	return set[:min(len(set), maxSeenProjects)]
}

// count is how many projects met a trigger, this one included.
func (t seenTable) count(trigger, project string) int {
	n := len(t[trigger])
	if !slices.Contains(t[trigger], project) {
		n++
	}
	return n
}

func (t seenTable) add(project string, triggers []string) {
	for _, trigger := range triggers {
		t[trigger] = sortedHashes(append(slices.Clone(t[trigger]), project))
	}
}

func (t seenTable) bytes() []byte {
	triggers := sortedKeys(t)
	if len(triggers) > maxSeenRows {
		slices.SortStableFunc(triggers, func(a, b string) int { return min(len(t[b]), 2) - min(len(t[a]), 2) })
		triggers = triggers[:maxSeenRows]
		slices.Sort(triggers)
	}
	var out bytes.Buffer
	out.WriteString(seenHeader + "\n")
	for _, trigger := range triggers {
		out.WriteString(trigger + " " + strings.Join(t[trigger], " ") + "\n")
	}
	return out.Bytes()
}

// identity is the hash of what clones of one project share: the URL of their
// origin, else the place of the repository.
func (p *Project) identity() string {
	about := p.Root
	if p.Git != nil {
		about = p.Location.CommonDir
		if origin := gitdir.Origin(about); origin != "" {
			about = origin
		}
	}
	return shortHash("project\x00" + about)
}

// projectsOf returns how many projects met a trigger, as known on this machine.
func (p *Project) projectsOf() func(*lesson.Trigger) int {
	seen, own := p.readSeen(), p.identity()
	return func(t *lesson.Trigger) int {
		hash := lesson.TriggerHash(t)
		if hash == "" {
			return 0
		}
		return seen.count(hash, own)
	}
}

// countProjects brings the observations up to date with what other projects met
// since they were stored.
func countProjects(log *observe.Log, count func(*lesson.Trigger) int) {
	for o := range log.All() {
		if n := count(o.Trigger); n >= 2 && n > o.Projects {
			o.Projects = n
			log.Put(o)
		}
	}
}

// holds says whether the table has a project for all of the triggers.
func (t seenTable) holds(project string, triggers []string) bool {
	return !slices.ContainsFunc(triggers, func(trigger string) bool {
		known := t[trigger]
		return len(known) < maxSeenProjects && !slices.Contains(known, project)
	})
}

// markSeen notes that this project met the triggers of its log. When another
// process writes for long, the next scan notes it.
func (p *Project) markSeen(log *observe.Log) error {
	var triggers []string
	for o := range log.All() {
		if hash := lesson.TriggerHash(o.Trigger); hash != "" {
			triggers = append(triggers, hash)
		}
	}
	if p.readSeen().holds(p.identity(), triggers) || p.newerSeen() {
		return nil
	}
	if err := p.FS.MkdirAll(p.StateHome(), 0o700); err != nil {
		return err
	}
	err := p.locked(filepath.Join(p.StateHome(), "seen.lock"), p.wait(), func() error {
		seen := p.readSeen()
		seen.add(p.identity(), triggers)
		return fsx.WriteFile(p.FS, p.seenPath(), seen.bytes())
	})
	if errors.Is(err, fsx.ErrLocked) {
		return nil
	}
	return err
}
