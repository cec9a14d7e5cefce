package scan

import (
	"path"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/internal/lists"
	"github.com/lessons-cli/lessons/internal/redact"
	"github.com/lessons-cli/lessons/knowledge/lesson"
)

// redactTrigger redacts every element. One that loses something to redaction
// would match nothing any more and is dropped; where that is a condition, the
// trigger goes, because it would match too much. Elements are looked at together
// too: a word may be a secret for the word before it.
func redactTrigger(t *lesson.Trigger, r *redact.Redactor, roots []string) *lesson.Trigger {
	if t == nil {
		return nil
	}
	paths := lists.MapSome(t.Paths, func(p string) string { return globFor(p, roots) })
	all := slices.Concat(t.Tools, t.Commands, t.Unless, t.CommandPatterns, t.Content, t.Keywords, t.Context, t.Agents, paths)
	k := keeper{r, r.Text(strings.Join(all, " ")).String()}
	c := lesson.Trigger{
		Tools: k.keep(t.Tools), Commands: k.keep(t.Commands), Unless: k.keep(t.Unless),
		CommandPatterns: compiling(k.keep(t.CommandPatterns)), Content: compiling(k.keep(t.Content)),
		Keywords: k.keep(t.Keywords), Context: k.keep(t.Context), Agents: k.keep(t.Agents), Paths: k.keep(paths),
	}
	lost := slices.ContainsFunc(t.Unless, func(u string) bool {
		u = strings.TrimSpace(u)
		return u != "" && !slices.Contains(c.Unless, u)
	})
	for _, slot := range [][2][]string{{t.Commands, c.Commands}, {t.CommandPatterns, c.CommandPatterns}, {t.Content, c.Content}, {t.Paths, c.Paths}} {
		lost = lost || len(slot[0]) > 0 && len(slot[1]) == 0
	}
	if lost || len(c.Tools)+len(c.Commands)+len(c.CommandPatterns)+len(c.Content)+len(c.Keywords)+len(c.Context)+len(c.Agents)+len(c.Paths) == 0 {
		return nil
	}
	return &c
}

// keeper keeps what redaction leaves alone, by itself and among the others.
type keeper struct {
	r        *redact.Redactor
	together string // all elements, redacted as one text
}

func (k keeper) keep(elements []string) []string {
	var kept []string
	for _, e := range elements {
		e = strings.TrimSpace(e)
		if e != "" && !slices.Contains(kept, e) && strings.Contains(k.together, e) && k.r.Text(e).String() == e && !redact.LooksDrawn(e) {
			kept = append(kept, e)
		}
	}
	return kept
}

// compiling keeps the patterns that RE2 understands.
func compiling(patterns []string) []string {
	return slices.DeleteFunc(patterns, func(p string) bool {
		_, err := syntax.Parse(p, syntax.Perl) // all that may fail of regexp.Compile
		return err != nil
	})
}

func redactAll(elements []string, r *redact.Redactor) []string {
	return lists.Filter(elements, func(e string) bool { return r.Text(e).String() == e })
}

var globby = automata.Lazily(`[*?\[{]`)

// globFor makes a repository-relative glob of a path as an agent wrote it: the
// path itself inside of the repository, its base name anywhere outside. What
// only one file has, such as a number or a day in its name, stands for any.
func globFor(p string, roots []string) string {
	p = placeOf(p, roots)
	if globby().MatchString(p) {
		return p
	}
	return kindOfPath(p)
}

func placeOf(p string, roots []string) string {
	p = strings.TrimPrefix(strings.ReplaceAll(p, `\`, "/"), "./")
	if rel, ok := relativeTo(roots, p); ok && rel != "." {
		return rel
	}
	absolute := strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~") || len(p) > 1 && p[1] == ':'
	switch {
	case strings.HasPrefix(p, "../") || strings.Contains(p, "/../"):
		return ""
	case !absolute:
		return p
	case globby().MatchString(p) && strings.HasPrefix(p, "/**"):
		return strings.TrimPrefix(p, "/")
	default:
		return "**/" + p[strings.LastIndexByte(p, '/')+1:]
	}
}

var (
	numberedFile   = automata.Lazily(`^\d{3,}[-_]`)
	particularFile = automata.Lazily(`\d{4}-\d\d-\d\d|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|\d{6,}`)
	versionInPath  = automata.Lazily(`((?:^|[-_.])v)\d+`)
)

// kindOfPath is the glob of a path and its like: migrations/0007_add_cart.sql is
// one of migrations/*.sql, api/v2/cart.ts one of api/v*/cart.ts.
func kindOfPath(p string) string {
	segments := strings.Split(p, "/")
	for i, s := range segments {
		last := i == len(segments)-1
		switch {
		case instance(s) && !last:
			s = "*"
		case last && i > 0 && numberedFile().MatchString(s):
			s = "*" + path.Ext(s)
		default:
			s = versionInPath().ReplaceAllString(particularFile().ReplaceAllString(s, "*"), "${1}*")
		}
		segments[i] = s
	}
	return strings.Join(segments, "/")
}
