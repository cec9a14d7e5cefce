package audit

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lessons-cli/lessons/internal/automata"
	"github.com/lessons-cli/lessons/knowledge"
)

// settings are names of files in which linters and formatters are told what to enforce.
var settings = automata.Lazily(`^(?:\.golangci\.(?:ya?ml|toml|json)|\.editorconfig|\.prettierrc(?:\.\w+)?|prettier\.config\.\w+|eslint\.config\.\w+|\.eslintrc(?:\.\w+)?|biome\.jsonc?|deno\.jsonc?|\.?ruff\.toml|pyproject\.toml|setup\.cfg|tox\.ini|\.flake8|\.?mypy\.ini|\.pylintrc|` +
	`\.?rustfmt\.toml|\.?clippy\.toml|Cargo\.toml|\.clang-(?:format|tidy)|\.tflint\.hcl|\.pre-commit-config\.yaml|lefthook\.ya?ml|commitlint\.config\.\w+|\.commitlintrc(?:\.\w+)?|\.rubocop\.yml|\.stylelintrc(?:\.\w+)?|\.markdownlint(?:-cli2)?\.\w+|\.yamllint(?:\.ya?ml)?|tsconfig(?:\.\w+)?\.json|\.swiftlint\.yml|checkstyle\.xml|\.sqlfluff|analysis_options\.yaml)$`)

// setting is a line of such a file.
type setting struct {
	file    string
	number  int
	text    string
	section string // the heading or the keys above it
}

// enforcement is what a statement says and the setting that enforces it.
type enforcement struct {
	says    *regexp.Regexp // its group is a value, which has to be the setting's
	setting *regexp.Regexp // likewise; held against "file: section: line"
}

func enforces(says, setting string) enforcement {
	return enforcement{regexp.MustCompile(`(?i)` + says), regexp.MustCompile(`(?i)` + setting)}
}

// enforcements are the rules that settings have words of their own for. What a rule of a
// linter is called after, and what it names, is found without them.
var enforcements = sync.OnceValue(func() []enforcement {
	return []enforcement{
		enforces(`\b(?:lines?|line length|columns?)\b.*?\b(\d{2,3})\b|\b(\d{2,3})[- ](?:characters?|columns?|chars?)\b.*\blines?\b`, `(?:line[-_]?length|printwidth|max_line_length|max-line-length|max_width|linewidth|columnlimit|max-len)\W+(?:.*?\bcode\W+)?(\d{2,3})`),
		enforces(`\b(single)(?:-quoted| quotes?)\b`, `singlequote\W+(t)rue|quote[-_]?style\W+single|\bquotes\W.*single`),
		enforces(`\b(double)(?:-quoted| quotes?)\b`, `singlequote\W+(f)alse|quote[-_]?style\W+double|\bquotes\W.*double`),
		enforces(`\bno (?:semicolons?|semis?)\b|\b(?:without|omit|leave out|skip) (?:the )?semicolons?\b`, `\bsemi\W+(?:false|.*never)|semicolons\W+asneeded`),
		enforces(`\b(?:use|with|always|end .* with(?: a)?) semicolons?\b`, `\bsemi\W+(?:true|.*always)|semicolons\W+always`),
		enforces(`\btrailing commas?\b`, `trailing-?_?commas?\W+\w`),
		enforces(`\b(?:indent\w*|use|with)\b.*?\b(two|four|eight|2|4|8)[- ]spaces?\b|^(two|four|2|4|8)[- ]spaces?\b`, `(?:indent_size|tabwidth|tab_spaces|indentwidth|indent-width|tab_width)\W+(\d)`),
		enforces(`\btabs?\b.*\b(?:indent\w*|spaces)\b|\bindent\w*\b.*\btabs\b`, `indent_style\W+tab|usetabs\W+true|hard_tabs\W+true|indent-style\W+"?tab|indentstyle\W+tab`),
		enforces(`\btrailing (?:white ?space|spaces|blanks)\b`, `trim_trailing_whitespace\W+true|id: trailing-whitespace|no-trailing-spaces|\bW291\b`),
		enforces(`\b(?:final|trailing) newline\b|\bend (?:files )?(?:with|in) a (?:new ?line|line feed)\b`, `insert_final_newline\W+true|id: end-of-file-fixer|eol-last`),
		enforces(`\b(?:LF|unix) line end\w*|\bline end\w* (?:are|is) LF\b|\bno (?:CRLF|windows line)`, `end_of_line\W+lf|endofline\W+"?lf|id: mixed-line-ending`),
		enforces(`\bimports?\b.*\b(?:sorted|ordered|grouped|groups?|alphabetical\w*|order)\b|\b(?:sort|order|group) (?:the |your |all )?imports\b`, `^\S*golangci\S*:.*- (?:gci|goimports)$|simple-import-sort|import/order|sort-imports|perfectionist|organizeimports|(?:lint|select).*"I(?:001)?"|id: isort|\[tool\.isort\]|group_imports|reorder_imports`),
		enforces(`\bprint\b.*\b(?:not|never|no|don'?t|forbidden|banned)\b|\b(?:no|never|don'?t|do not|avoid)\b.*\bprint\b`, `(?:lint|select).*"T20\d?"|\bflake8-print\b|print_stdout`),
		enforces(`\b(?:unused) (?:variables?|imports?|code)\b`, `no-unused-vars|nounusedlocals\W+true|- unused$|(?:lint|select).*"F(?:401|841)?"|unused_declarations`),
		enforces(`\b(?:type (?:hints?|annotations?)|annotat\w+|fully typed|typed)\b`, `disallow_untyped_defs\W+true|strict\W+true.*mypy|mypy.*strict\W+true|(?:lint|select).*"ANN\d*"|terraform_typed_variables`),
		enforces(`\bdocstrings?\b`, `(?:lint|select).*"D\d*"|pydocstyle`),
		enforces(`\b(?:time ?zones?|naive|aware)\b.*\b(?:datetimes?|times?|time ?zones?)\b|\bdatetimes?\b.*\b(?:time ?zones?|naive|aware)\b`, `(?:lint|select).*"DTZ\d*"`),
		enforces(`\bbare excepts?\b`, `(?:lint|select).*"(?:E|E722|BLE\d*)"`),
		enforces(`\bf-strings?\b`, `(?:lint|select).*"(?:UP|UP032|FLY)"`),
		enforces(`\bconventional commits?\b`, `commitlint|conventional-pre-commit`),
		enforces(`\b(?:commit|push)\w*\b.*\b(?:directly )?(?:to|on) .?(?:main|master)\b`, `id: no-commit-to-branch`),
		enforces(`\bvariables?\b.*\b(?:descriptions?|documented|described)\b`, `terraform_documented_variables`),
		enforces(`\boutputs?\b.*\b(?:descriptions?|documented|described)\b`, `terraform_documented_outputs`),
		enforces(`\b(?:exhaustive|all cases)\b.*\bswitch\b|\bswitch\w*\b.*\b(?:exhaustive|all cases)\b`, `- exhaustive$|switch-exhaustiveness-check`),
		enforces(`\bcontext\b.*\bfirst (?:argument|parameter)\b`, `context-as-argument`),
		enforces(`\bclose\b.*\bresponse bod(?:y|ies)\b|\bresponse bod(?:y|ies)\b.*\bclosed?\b`, `- bodyclose$`),
		enforces(`\bstrict equality\b|===`, `\beqeqeq\b`),
	}
})

// switchedOff matches settings that turn a rule off or allow something.
var switchedOff = automata.Lazily(`(?i)['"]off['"]|:\s*0\b|:\s*\[\s*0\b|\b(?:disable|ignore|exclude|allow|per-file-ignores|extend-ignore|skip)\w*\W|^\s*(?:#|//)|^\s*-?\s*paths?\s*:`)

// usesTool matches statements about a linter or formatter as such.
var usesTool = automata.Lazily(`(?i)\b(?:formatter|linter) is\b|\b(?:run|runs|checked|linted|formatted) (?:by|with|before)\b`)

// enforced finds rules that settings enforce already: agents need not be told.
func (r *repository) enforced(lines []line) []knowledge.Problem {
	all := r.settings()
	var found []knowledge.Problem
	for _, l := range lines {
		if !l.states || usesTool().MatchString(l.text) || past().MatchString(l.text) {
			continue
		}
		if s, other := enforcing(l, all); s.file != "" && !other {
			found = append(found, l.problem(Enforced, "%s:%d enforces it: %s", s.file, s.number, strings.TrimSpace(s.text)))
		} else if other {
			found = append(found, l.problem(Contradiction, "%s:%d says otherwise: %s", s.file, s.number, strings.TrimSpace(s.text)))
		}
	}
	return found
}

// enforcing is the setting that enforces a statement, or, where other is said, one that
// has another value.
func enforcing(l line, all []setting) (s setting, other bool) {
	for _, e := range enforcements() {
		said := e.says.FindStringSubmatch(l.text)
		if said == nil {
			continue
		}
		var differs setting
		for _, s := range all {
			set := e.setting.FindStringSubmatch(s.file + ": " + s.section + ": " + s.text)
			switch {
			case set == nil:
			case number(said[1:]) == "" || number(set[1:]) == "" || number(said[1:]) == number(set[1:]):
				return s, false
			default:
				differs = s
			}
		}
		if differs.file != "" && !strings.HasSuffix(differs.file, ".editorconfig") {
			return differs, true
		}
	}
	if !avoids().MatchString(l.text) && !forbidden().MatchString(l.text) {
		return setting{}, false
	}
	for _, s := range all {
		if s.forbids(l.text) {
			return s, false
		}
	}
	return setting{}, false
}

var forbidden = automata.Lazily(`(?i)\b(?:not allowed|isn'?t allowed|forbidden|banned|remove)\b`)

var digits = map[string]string{"two": "2", "four": "4", "eight": "8"}

// number is the value among groups, in digits.
func number(groups []string) string {
	for _, g := range groups {
		if g = cmp.Or(digits[strings.ToLower(g)], g); g != "" && g[0] >= '0' && g[0] <= '9' {
			return g
		}
	}
	return ""
}

var (
	ruleName = automata.Lazily(`['"/]?\b(?:no|ban|forbid|disallow)[-_]([a-z]+(?:[-_][a-z]+)*)\b|\b([a-z]+(?:_[a-z]+)*)_(?:used|usage)\b`)
	pattern  = automata.Lazily(`(?:pattern|forbid|p|match|regex)\s*:\s*['"]?(\^?\S+?)['"]?$|^\s*-\s*['"]?(\^\S+?)['"]?$`)
	plainRef = automata.Lazily(`^[\w@][\w./@:-]{3,}$`)
	fillers  = map[string]bool{"explicit": true, "restricted": true, "extraneous": true, "unsafe": true, "implicit": true}
)

// forbids says whether a setting forbids what a statement does: its rule is called after
// what the statement speaks of, its pattern matches a name in it, or it names the same.
func (s setting) forbids(text string) bool {
	if m := ruleName().FindStringSubmatch(s.text); m != nil {
		words := strings.FieldsFunc(m[1]+m[2], func(r rune) bool { return r == '-' || r == '_' })
		words = slices.DeleteFunc(words, func(w string) bool { return fillers[w] })
		if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !speaksOf(text, w) }) {
			return true
		}
	}
	for _, m := range codeSpan().FindAllStringSubmatch(text, -1) {
		name := strings.TrimSuffix(m[1], "()")
		if p := pattern().FindStringSubmatch(s.text); p != nil {
			if re, err := regexp.Compile(p[1] + p[2]); err == nil && len(p[1]+p[2]) > 4 && re.MatchString(name) {
				return true
			}
		}
		if plainRef().MatchString(name) && strings.ContainsAny(name, "./") && names(s.text, name) && !settings().MatchString(path.Base(name)) {
			return true
		}
	}
	return false
}

// names says whether a text holds a name as a whole.
func names(text, name string) bool {
	at := strings.Index(text, name)
	if at < 0 {
		return false
	}
	end := at + len(name)
	part := func(c byte) bool {
		return c == '_' || c == '-' || c == '/' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
	}
	return (at == 0 || !part(text[at-1])) && (end == len(text) || !part(text[end]))
}

// speaksOf says whether a text has a word of a rule's name, in the singular or the plural.
func speaksOf(text, word string) bool {
	stem := strings.TrimSuffix(strings.TrimSuffix(word, "s"), "y")
	if word == "vars" {
		stem = "var"
	}
	return regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(stem) + `(?:s|es|y|ies|iables?)?\b`).MatchString(text)
}

// settings are the lines of all files of settings that turn something on.
func (r *repository) settings() []setting {
	var all []setting
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		if !settings().MatchString(path.Base(name)) {
			continue
		}
		section := ""
		for i, text := range strings.Split(r.files[name], "\n") {
			trimmed := strings.TrimSpace(text)
			switch {
			case strings.HasPrefix(trimmed, "[") && strings.HasSuffix(trimmed, "]"), strings.HasSuffix(trimmed, "= ["), strings.HasSuffix(trimmed, ":") && !strings.HasPrefix(trimmed, "- "):
				section = sectionOf(section, trimmed)
			}
			if trimmed != "" && !switchedOff().MatchString(text) && !switchedOff().MatchString(section[strings.LastIndexByte(section, ' ')+1:]+" ") {
				all = append(all, setting{name, i + 1, text, section})
			}
		}
	}
	return all
}

// sectionOf is the last table and key above a line.
func sectionOf(section, head string) string {
	if strings.HasPrefix(head, "[") {
		return head
	}
	table, _, _ := strings.Cut(section, " ")
	if !strings.HasPrefix(table, "[") {
		table = ""
	}
	key := strings.TrimRight(strings.TrimSuffix(head, "["), " =:")
	return strings.TrimSpace(table + " " + key)
}
