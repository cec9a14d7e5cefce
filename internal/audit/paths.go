package audit

import (
	"path"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge"
)

// pathLike matches a whole word that may be a path of the repository.
var pathLike = automata.Lazily(`^(?:\./)?(?:@?[\w.+-]+/)*[\w.+@-]+/?$`)

// lineNumber matches the lines that a text names behind a file.
var lineNumber = automata.Lazily(`:\d+(?:-\d+)?$`)

// placeholder matches parts of paths that stand for others.
var placeholder = automata.Lazily(`(?:^|/)(?:[A-Z]{2,}|x+|foo|bar|baz|your[\w-]*|my[-_]\w+|example\w*|name|path)(?:[/.]|$)`)

// missing says whether a word names a path that ought to be there and is not. Named is
// said of the operand of a program that reads it.
func (r *repository) missing(name, dir string, operand bool) bool {
	place := lineNumber().ReplaceAllString(name, "")
	clean := path.Clean(strings.TrimSuffix(place, "/"))
	switch first, _, below := strings.Cut(clean, "/"); {
	case !pathLike().MatchString(place), strings.HasPrefix(clean, ".."), strings.HasPrefix(clean, "@"), placeholder().MatchString(clean), r.has(clean, dir):
		return false
	case strings.Contains(clean, "..."), strings.Count(first, ".") > 0 && below && !strings.HasPrefix(first, "."):
		return false // a pattern, a host
	case below && (r.top[first] || dir != "" && r.folders[path.Join(dir, first)]):
		return true
	case below:
		return fileEnding(clean) || operand
	}
	return operand && fileEnding(clean) || bareFile().MatchString(clean)
}

// bareFile matches names of files that lie at the top of a repository.
var bareFile = automata.Lazily(`^(?:[A-Z][A-Z_-]{3,}\.md|[a-z]\w*\.config\.(?:js|ts|mjs|cjs|json)|docker-compose[\w.-]*\.ya?ml)$`)

func fileEnding(name string) bool {
	ext := path.Ext(name)
	return sources[ext] || isProse(name) || strings.Contains(" .json .jsonc .yaml .yml .toml .ini .cfg .conf .css .scss .html .csv .xml .graphql .prisma .lock .mk .env .tfvars .ipynb .parquet .png .svg ", " "+ext+" ") && ext != ""
}

// missingPaths finds paths that lines name and the repository does not have. What git
// ignores is made by a build.
func (r *repository) missingPaths(lines []line) []knowledge.Problem {
	type named struct {
		line
		name string
	}
	var gone []named
	var names []string
	for _, l := range lines {
		if past().MatchString(l.text) || l.shell {
			continue
		}
		for _, span := range l.spans() {
			if r.missing(span, l.dir, false) && !wanted().MatchString(l.text) {
				gone, names = append(gone, named{l, span}), append(names, strings.TrimPrefix(strings.TrimSuffix(span, "/"), "./"))
			}
		}
	}
	ignored := r.ignores(names)
	var found []knowledge.Problem
	for i, g := range gone {
		if !ignored[names[i]] {
			found = append(found, g.problem(MissingPath, "%s is not in the repository", g.name))
		}
	}
	return found
}

func (r *repository) ignores(names []string) map[string]bool {
	ignored := map[string]bool{}
	if r.ignored == nil || len(names) == 0 {
		return ignored
	}
	asked := append([]string{}, names...)
	for _, name := range names {
		asked = append(asked, name+"/", name+"/x")
	}
	answer := r.ignored(asked)
	for _, name := range names {
		ignored[name] = answer[name] || answer[name+"/"] || answer[name+"/x"]
	}
	return ignored
}
