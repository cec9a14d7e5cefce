package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/lessons-cli/lessons/knowledge/entry"
)

// observed are the type and the title of what stands in the log.
func (p *player) observed() (all []string) {
	out, _ := p.run("", "list", "--kind", "observation", "--json")
	for line := range strings.Lines(out) {
		var row struct{ Type, Title string }
		if json.Unmarshal([]byte(line), &row) == nil && row.Title != "" {
			all = append(all, row.Type+": "+shorten(row.Title, 90))
		}
	}
	return all
}

// piece is a thing that was written into the repository for people and agents.
type piece struct{ kind, status, title, text, triggers string }

var (
	lessonFile  = regexp.MustCompile(`(?s)^---\n(.*?)\n---\n(.*)$`)
	lessonState = regexp.MustCompile(`(?m)^status: *(\w+)`)
	triggers    = regexp.MustCompile(`(?m)^triggers:\n((?:  .*\n)+)`)
	heading     = regexp.MustCompile(`(?m)^#+ (.*)$`)
	evidence    = regexp.MustCompile(`(?m)^(> |(?:- )?\*\*(Quote|Seen|Source)\*\*).*$`)
)

// pieces are the lessons, entries, skills and commands in the work tree. Their text
// is the rule without quotations and marks of where it comes from.
func (p *player) pieces() (all []piece) {
	files := p.files(".lessons", ".memory", ".claude", ".agents")
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join(p.at.dir, name))
		if err != nil {
			p.t.Fatal(err)
		}
		switch {
		case strings.HasPrefix(name, ".memory/"):
			book, _ := entry.ParseBook(name, data)
			for _, e := range book.Entries {
				all = append(all, piece{kind: string(e.Kind), status: e.Status(), title: e.Title, text: evidence.ReplaceAllString(string(e.Text), "")})
			}
		case filepath.Dir(name) == ".lessons":
			w := piece{kind: "lesson", title: name}
			if m := lessonFile.FindStringSubmatch(string(data)); m != nil {
				w.status, w.triggers = group(lessonState, m[1]), group(triggers, m[1]+"\n")
				w.text = evidence.ReplaceAllString(m[2], "")
				w.title = group(heading, w.text)
			}
			all = append(all, w)
		default:
			all = append(all, piece{kind: "other", title: name, text: string(data)})
		}
	}
	return all
}

// group is the first group of the first match.
func group(expr *regexp.Regexp, text string) string {
	if m := expr.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// files are the Markdown files below folders of the work tree, without what init
// and books without entries write.
func (p *player) files(dirs ...string) (names []string) {
	for _, dir := range dirs {
		_ = filepath.WalkDir(filepath.Join(p.at.dir, dir), func(name string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(name, ".md") && d.Name() != "README.md" {
				rel, _ := filepath.Rel(p.at.dir, name)
				names = append(names, filepath.ToSlash(rel))
			}
			return nil // a folder may not be there
		})
	}
	return names
}

// written checks that exactly one thing was written and which, or nothing, and its
// words: a draft of a lesson, or a decision that is proposed or accepted. The words
// are those of the rule; "=> trigger WORD" looks at a lesson's triggers.
func (p *player) written(l *caseLine, what string) {
	all := p.pieces()
	if what == "nothing" {
		if len(all) > 0 {
			p.fail(l, "%d things were written: %+v", len(all), all)
		}
		p.noneWaits(l)
		return
	}
	kind, status := "adr", what
	if what == "draft" {
		kind = "lesson"
	}
	if len(all) != 1 || all[0].kind != kind || !strings.EqualFold(all[0].status, status) {
		p.fail(l, "not one %s, %s, but %+v", kind, status, all)
		return
	}
	checks := &caseLine{number: l.number, text: l.text}
	for _, c := range l.below {
		if words, ok := strings.CutPrefix(c.text, "=> trigger "); !ok {
			checks.below = append(checks.below, c)
		} else if !oneOf(folded(all[0].triggers), words) {
			p.fail(l, "no trigger %q: %s", words, all[0].triggers)
		}
	}
	p.check(checks, reply{context: all[0].text})
}

// noneWaits checks that nothing waits as a statement or a decision.
func (p *player) noneWaits(l *caseLine) {
	out, status := p.run("", "list", "--waiting", "--json")
	if status != 0 {
		return // there is no such list yet
	}
	for line := range strings.Lines(out) {
		var row struct{ Type string }
		if json.Unmarshal([]byte(line), &row) == nil && (row.Type == "statement" || row.Type == "decision") {
			p.fail(l, "it waits as a %s: %s", row.Type, line)
		}
	}
}
