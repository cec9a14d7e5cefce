package audit

import (
	"slices"
	"strings"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge"
)

var (
	symbol = automata.Lazily(`^[*&]?((?:[A-Za-z_]\w*(?:\.|::|#|->))*)([A-Za-z_]\w*)(?:\(.*\))?$`)
	split  = automata.Lazily(`\.|::|#|->`)
	// sample matches lines that tell how things are named, and names that stand for others.
	sample      = automata.Lazily(`(?i)\b(?:named?|names|naming|prefix(?:ed)?|suffix(?:ed)?)\b`)
	stands      = automata.Lazily(`Thing|Foo|(?:\b|_|[A-Z])foo(?:\b|_)|Bar\b|Baz|Example|Xxx|Something|^(?:My|Your|my|your)[A-Z_]`)
	avoids      = automata.Lazily(`(?i)\b(?:never|don'?t|do not|must not|avoid|not|no|instead of|rather than|over|nothing)\b`)
	screaming   = automata.Lazily(`^[A-Z][A-Z0-9_]*$`)
	toolOfLines = automata.Lazily(`(?i)\b(?:react|playwright|cypress|jest|vitest|testing library|pytest|airflow|django|flask|fastapi|spring|rails|vue|angular|svelte|node|deno|python|typescript|javascript|java|kotlin|swift|rust|sql|postgres\w*|mysql|terraform|kubernetes|docker|aws|gcp|azure|css|html|dbt|spark|graphql|grpc|next\.js|nextjs|zod|redux|eslint|prettier|github)\b`)
)

// missingSymbols finds identifiers that lines name and no source mentions. What belongs to
// a library is nobody's here: a name counts where what stands before its dot is declared
// here, or where it stands alone, the line says where it is or what is done with it, and
// speaks of no library.
func (r *repository) missingSymbols(lines []line) []knowledge.Problem {
	var found []knowledge.Problem
	for _, l := range lines {
		if l.shell || past().MatchString(l.text) || sample().MatchString(l.text) {
			continue
		}
		for _, span := range l.spans() {
			m := symbol().FindStringSubmatch(span)
			if m == nil || r.mentioned[m[2]] || r.defined[m[2]] || r.has(span, l.dir) || stands().MatchString(m[2]) {
				continue
			}
			if r.ours(l, m[1], m[2]) {
				found = append(found, l.problem(MissingSymbol, "no source mentions %s", span))
			}
		}
	}
	return found
}

// ours says whether a name that nothing mentions is one of this repository.
func (r *repository) ours(l line, qualifier, name string) bool {
	if qualifier != "" {
		parts := split().Split(strings.TrimRight(qualifier, ".:#->"), -1)
		last := parts[len(parts)-1]
		return len(last) > 1 && r.defined[last] && !r.elsewhere(last) && !keywords[last] && !fileEnding("x."+name)
	}
	text := codeSpan().ReplaceAllString(l.text, " ")
	switch {
	case !telling(name), avoids().MatchString(text), toolOfLines().MatchString(text), strings.HasPrefix(name, "use") && !r.near(l):
		return false
	case screaming().MatchString(name):
		return false // a variable of the environment may be anybody's
	}
	return true
}

// near says whether a line names a file or a folder that is there.
func (r *repository) near(l line) bool {
	return slices.ContainsFunc(l.spans(), func(span string) bool {
		return strings.ContainsAny(span, "./") && r.has(strings.TrimSuffix(span, "/"), l.dir)
	})
}

var keywords = map[string]bool{"self": true, "this": true, "super": true, "local": true, "data": true, "var": true, "module": true, "cls": true, "err": true, "ctx": true, "req": true, "res": true, "os": true}

// telling says whether an identifier is written as names of code are.
func telling(name string) bool {
	upper := strings.IndexFunc(name[1:], func(r rune) bool { return r >= 'A' && r <= 'Z' }) >= 0
	lower := strings.ToUpper(name) != name
	title := name[0] >= 'A' && name[0] <= 'Z'
	return len(name) > 3 && (lower && upper || strings.Contains(strings.Trim(name, "_"), "_") || title && lower && len(name) > 5)
}
