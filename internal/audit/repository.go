package audit

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/knowledge"
	"github.com/lessons-cli/lessons/knowledge/instructions"
)

// repository is what the repository has.
type repository struct {
	files     map[string]string
	folders   map[string]bool
	ends      map[string]bool // every path, and what stands behind each of its slashes
	top       map[string]bool // names of the first level
	mentioned map[string]bool // words of the sources
	defined   map[string]bool // names that sources declare, files and folders without their endings
	imported  map[string]bool // as sources import them, with slashes
	scripts   map[string]manifest
	ignored   func([]string) map[string]bool
}

// manifest is a package.json.
type manifest struct {
	Name            string            `json:"name"`
	Scripts         map[string]string `json:"scripts"`
	Dependencies    map[string]any    `json:"dependencies"`
	DevDependencies map[string]any    `json:"devDependencies"`
}

var (
	word    = automata.Lazily(`[A-Za-z_]\w*`)
	declare = automata.Lazily(`(?m)\b(?:type|class|struct|interface|enum|trait|def|func|function|const|let|var|fn|mod|module|namespace|object|record|resource|data|macro)\s+(?:\([^)]*\)\s*)?"?([A-Za-z_]\w*)`)
	imports = automata.Lazily(`(?m)(?:^|\s)(?:import|from|require\(|use)?\s*\(?["']([^"'\s]+)["']|^\s*(?:from|import)\s+([\w.]+)`)
)

func newRepository(in Input) *repository {
	r := &repository{
		files: in.Repository, folders: map[string]bool{}, ends: map[string]bool{}, top: map[string]bool{}, mentioned: map[string]bool{},
		defined: map[string]bool{}, imported: map[string]bool{}, scripts: map[string]manifest{}, ignored: in.Ignored,
	}
	for name, text := range in.Repository {
		r.place(name)
		if path.Base(name) == "package.json" {
			var m manifest
			if json.Unmarshal([]byte(text), &m) == nil {
				r.scripts[path.Dir(name)] = m
			}
		}
		if isTold(name) || isProse(name) {
			continue
		}
		for _, w := range word().FindAllString(text, -1) {
			r.mentioned[w] = true
		}
		for _, m := range declare().FindAllStringSubmatch(text, -1) {
			r.defined[m[1]] = true
		}
		if strings.HasPrefix(name, "go.") || strings.Contains(path.Base(name), "lock") {
			continue
		}
		for _, m := range imports().FindAllStringSubmatch(text, -1) {
			r.imported[m[1]+strings.ReplaceAll(m[2], ".", "/")] = true
		}
	}
	return r
}

// elsewhere says whether sources import something of that name that is not of this
// repository.
func (r *repository) elsewhere(name string) bool {
	for imported := range r.imported {
		if path.Base(imported) != name {
			continue
		}
		below := imported
		for below != "" && !r.ends[below] && !r.ends[below+".py"] {
			_, below, _ = strings.Cut(below, "/")
		}
		if below == "" || !strings.Contains(imported, "/") && !r.ends[imported+".py"] {
			return true
		}
	}
	return false
}

// place enters a path with its folders.
func (r *repository) place(name string) {
	r.enter(name)
	stem, _, _ := strings.Cut(path.Base(name), ".")
	if sources[path.Ext(name)] {
		r.defined[stem], r.defined[path.Base(path.Dir(name))] = true, true
	}
	for dir := path.Dir(name); dir != "." && !r.folders[dir]; dir = path.Dir(dir) {
		r.folders[dir] = true
		r.enter(dir)
	}
	first, _, _ := strings.Cut(name, "/")
	r.top[first] = true
}

func (r *repository) enter(name string) {
	for at := 0; ; {
		r.ends[name[at:]] = true
		i := strings.IndexByte(name[at:], '/')
		if i < 0 {
			return
		}
		at += i + 1
	}
}

// isTold says whether a file is one of those that are audited.
func isTold(name string) bool {
	_, told := instructions.KindOf(name)
	return told || knowledge.InFolders(name)
}

func isProse(name string) bool {
	return slices.Contains([]string{".md", ".mdx", ".rst", ".txt", ".adoc"}, path.Ext(name))
}

// sources are the endings of files with code.
var sources = lists.Words(`.go .ts .tsx .js .jsx .mjs .cjs .py .rs .java .kt .rb .php .cs .c .h .cc .cpp .hpp .swift .scala .sh .vue .svelte .ex .exs .dart
	.lua .tf .sql .proto`)

// has says whether a path is there, as seen from a folder, from the top, or from any.
func (r *repository) has(name, dir string) bool {
	return r.ends[name] || r.ends[path.Join(dir, name)]
}
