package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/fsx"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/entry"
	"github.com/lessons-cli/lessons/knowledge/frontmatter"
	"github.com/lessons-cli/lessons/knowledge/lesson"
	"github.com/lessons-cli/lessons/knowledge/markdown"
)

// Limits of the walk over the artifact folders.
const (
	maxBook      = 16 << 20 // bytes
	maxArtifact  = 1 << 20  // bytes of any other file
	maxArtifacts = 50_000   // files
	maxFolders   = 8        // nested
)

// Read reads the artifact folders of a work tree: lessons and skills in
// .lessons, entries in .memory/knowledge, commands and skills in .claude and
// .agents. Links are not followed, repositories inside are not entered, and
// what cannot be read is a problem that hides nothing else. The order is that
// of the paths and, in a book, of the entries.
func Read(files fsx.FS, root string) Found { return ReadWith(files, root, Cache{}) }

// ReadWith is [Read] with what an earlier run parsed.
func ReadWith(files fsx.FS, root string, cache Cache) Found {
	w := walker{fs: files, root: root, cache: cache}
	w.walk()
	return w.Found
}

// ReadEntries reads the knowledge entries alone, from books and entry files.
func ReadEntries(files fsx.FS, root string) Found {
	w := walker{fs: files, root: root}
	w.entries()
	return w.Found
}

// Found is what the artifact folders hold.
type Found struct {
	Artifacts           []Artifact       // all of them
	Decisions, Pitfalls []entry.Entry    // in order of appearance
	Lessons             []*lesson.Lesson // in order of their paths
	Problems            []knowledge.Problem
	Cache               []byte // for the next run; nil: the one that there is will do
}

// LoadedKind says whether a file is one that agents load, or that render publishes to them:
// a skill or a command; empty: neither.
func LoadedKind(name string) knowledge.Kind {
	top, rest, _ := strings.Cut(name, "/")
	folder, _, below := strings.Cut(rest, "/")
	switch {
	case !below:
	case folder == "skills" && (slices.Contains(agentFolders, top) || top == ".lessons" && path.Base(name) == "SKILL.md"):
		return knowledge.KindSkill
	case folder == "commands" && slices.Contains(agentFolders, top) && markdown.IsFile(name):
		return knowledge.KindCommand
	}
	return ""
}

// agentFolders are those from which agents load skills and commands.
var agentFolders = []string{".claude", ".agents"}

// OfEntry returns an entry as an artifact.
func OfEntry(e entry.Entry) Artifact {
	return Artifact{
		Kind: e.Kind, Source: e.Source, Path: e.Path, Anchor: e.ID(), Title: e.Title, Status: e.Status(),
		Line: e.Line, Hash: knowledge.ContentHash(e.Text), Text: e.Text,
	}
}

// walker collects artifacts.
type walker struct {
	Found
	fs    fsx.FS
	root  string
	cache Cache
	files int
}

// walk reads all artifact folders.
func (w *walker) walk() {
	w.lessons()
	w.skills(".lessons/skills")
	w.entries()
	for _, agent := range agentFolders {
		if w.folder(agent) {
			w.commands(agent+"/commands", 0)
			w.skills(agent + "/skills")
		}
	}
	slices.SortStableFunc(w.Artifacts, func(a, b Artifact) int { return strings.Compare(a.Path, b.Path) })
}

func (w *walker) problem(name, rule, text string) {
	w.Problems = append(w.Problems, knowledge.Problem{Path: name, Rule: rule, Text: text})
}

func (w *walker) absolute(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

// folder says whether the name is a folder of this repository: not a link, and
// not the work tree of another repository.
func (w *walker) folder(name string) bool {
	info, err := w.fs.Lstat(w.absolute(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil:
		w.problem(name, "unreadable", fsx.WithoutPath(err).Error())
		return false
	case !info.IsDir():
		return false
	}
	if _, err := w.fs.Lstat(w.absolute(name + "/.git")); err == nil {
		return false
	}
	return true
}

// names lists what is in a folder, sorted; nil when it is no folder.
func (w *walker) names(name string) []fs.DirEntry {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if !w.folder(dir) {
			return nil
		}
	}
	if !w.folder(name) {
		return nil
	}
	all, err := w.fs.ReadDir(w.absolute(name))
	if err != nil {
		w.problem(name, "unreadable", fsx.WithoutPath(err).Error())
	}
	return all
}

// read returns a regular file.
func (w *walker) read(name string, limit int64) ([]byte, bool) {
	if _, ok := w.look(name, limit); !ok {
		return nil, false
	}
	return w.content(name)
}

func (w *walker) content(name string) ([]byte, bool) {
	data, err := w.fs.ReadFile(w.absolute(name))
	if err != nil {
		w.problem(name, "unreadable", fsx.WithoutPath(err).Error())
		return nil, false
	}
	return data, true
}

// look says what a regular file is like. Special files are left alone in silence;
// everything else that cannot be read is a problem.
func (w *walker) look(name string, limit int64) (fs.FileInfo, bool) {
	info, err := w.fs.Lstat(w.absolute(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	if w.files++; w.files > maxArtifacts {
		if w.files == maxArtifacts+1 {
			w.problem(name, "too-many", fmt.Sprintf("more than %d files: the rest is not read", maxArtifacts))
		}
		return nil, false
	}
	switch {
	case err != nil:
		w.problem(name, "unreadable", fsx.WithoutPath(err).Error())
		return nil, false
	case info.IsDir():
		w.problem(name, "unreadable", "a folder stands where a file should be")
		return nil, false
	case info.Mode()&fs.ModeSymlink != 0:
		w.problem(name, "link", "a symbolic link: it is not followed")
		return nil, false
	case !info.Mode().IsRegular():
		w.problem(name, "unreadable", "not a regular file")
		return nil, false
	case info.Size() > limit:
		w.problem(name, "too-large", fmt.Sprintf("larger than %d bytes: not read", limit))
		return nil, false
	}
	return info, true
}

// lessons reads the lessons. Most of the time goes into their front matter, so it is cached,
// and several are parsed at once.
func (w *walker) lessons() {
	var all []lessonFile
	cached := w.cache.lessons()
	for _, f := range w.names(".lessons") {
		name := ".lessons/" + f.Name()
		if !markdown.IsFile(name) || strings.EqualFold(f.Name(), "README.md") || strings.HasPrefix(f.Name(), ".") {
			continue
		}
		info, ok := w.look(name, lesson.MaxBytes)
		if !ok {
			continue
		}
		file := lessonFile{info: info, cachedLesson: cachedLesson{Name: name}}
		if known := cached[name]; known != nil && known.State == stateOf(info) {
			file.cachedLesson = *known
		} else if file.Text, ok = w.content(name); !ok {
			continue
		}
		all = append(all, file)
	}
	all = lists.MapParallel(all, lessonFile.parsed)
	for _, f := range all {
		w.Artifacts = append(w.Artifacts, f.artifact())
		if f.err == nil {
			w.Lessons = append(w.Lessons, f.Lesson)
		}
		if parse, ok := errors.AsType[*knowledge.ParseError](f.err); ok {
			w.Problems = append(w.Problems, parse.Problem("lesson"))
		}
	}
	w.Found.Cache = w.cache.renewed(all, len(cached))
}

// lessonFile is a file that is a lesson by its name.
type lessonFile struct {
	cachedLesson
	info fs.FileInfo
	anew bool // parsed in this run
	err  error
}

// parsed is the file with its lesson.
func (f lessonFile) parsed() lessonFile {
	if f.Lesson == nil {
		f.anew, f.Hash = true, knowledge.ContentHash(f.Text)
		f.Lesson, f.err = lesson.Parse(f.Name, f.Text)
	}
	return f
}

// artifact is the file as an artifact. A broken one keeps its marker if that can be found
// at all: its row must not look deleted.
func (f lessonFile) artifact() Artifact {
	a := Artifact{Kind: knowledge.KindLesson, Path: f.Name, Line: 1, Hash: f.Hash, Text: f.Text}
	if f.err != nil {
		a.Source = MarkerOf(f.Text)
	} else {
		a.Source, a.Title, a.Status = f.Lesson.Source, f.Lesson.Title, f.Lesson.Status
	}
	return a
}

// entries reads both layouts, whichever the settings name: an entry is where it
// is.
func (w *walker) entries() {
	for _, kind := range []knowledge.Kind{knowledge.KindADR, knowledge.KindPF} {
		if !w.folder(".memory") || !w.folder(entry.Folder) {
			return
		}
		if data, ok := w.read(entry.BookPath(kind), maxBook); ok {
			b, problems := entry.ParseBook(entry.BookPath(kind), data)
			w.Problems = append(w.Problems, problems...)
			w.keep(b.Entries...)
		}
		for _, f := range w.names(entry.Dir(kind)) {
			name := entry.Dir(kind) + "/" + f.Name()
			if !markdown.IsFile(name) || strings.EqualFold(f.Name(), entry.Readme) || strings.HasPrefix(f.Name(), ".") {
				continue
			}
			if data, ok := w.read(name, maxArtifact); ok {
				b, problems := entry.ParseBook(name, data)
				w.Problems = append(w.Problems, problems...)
				if len(b.Entries) != 1 {
					_, more := entry.ParseFile(name, data)
					w.Problems = append(w.Problems, more[len(problems):]...)
				}
				w.keep(b.Entries...)
			}
		}
	}
}

func (w *walker) keep(entries ...entry.Entry) {
	for _, e := range entries {
		if e.Kind == knowledge.KindPF {
			w.Pitfalls = append(w.Pitfalls, e)
		} else {
			w.Decisions = append(w.Decisions, e)
		}
		w.Artifacts = append(w.Artifacts, OfEntry(e))
	}
}

func (w *walker) commands(dir string, depth int) {
	for _, f := range w.names(dir) {
		name := dir + "/" + f.Name()
		switch {
		case f.IsDir() && depth < maxFolders:
			w.commands(name, depth+1)
		case f.IsDir() || !markdown.IsFile(name):
		default:
			if data, ok := w.read(name, maxArtifact); ok {
				w.Artifacts = append(w.Artifacts, plain(knowledge.KindCommand, name, data))
			}
		}
	}
}

func (w *walker) skills(dir string) {
	for _, f := range w.names(dir) {
		if !f.IsDir() || !w.folder(dir+"/"+f.Name()) {
			continue
		}
		name := dir + "/" + f.Name() + "/SKILL.md"
		if data, ok := w.read(name, maxArtifact); ok {
			w.Artifacts = append(w.Artifacts, plain(knowledge.KindSkill, name, data))
		}
	}
}

// plain reads a command or a skill. Their front matter belongs to the
// agents, whose readers take more than ours; a broken one is no problem here.
func plain(kind knowledge.Kind, name string, data []byte) Artifact {
	a := Artifact{Kind: kind, Path: name, Line: 1, Hash: knowledge.ContentHash(data), Text: data, Source: MarkerOf(data)}
	if m, err := frontmatter.Find(data); err == nil {
		a.Title = FirstHeading(data[m.Body:])
	} else {
		a.Title = FirstHeading(data)
	}
	if a.Title == "" {
		a.Title = strings.TrimSuffix(path.Base(strings.TrimSuffix(name, "/SKILL.md")), path.Ext(name))
	}
	return a
}

// FirstHeading returns the text of the first line that is an H1, or the empty text.
func FirstHeading(body []byte) string {
	for line := range bytes.Lines(body) {
		if title, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "# "); ok {
			return markdown.DecodeHeading(title)
		}
	}
	return ""
}
