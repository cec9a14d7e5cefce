package statement

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lessons-cli/lessons/internal/automata"
)

// maxNames is how many names of a statement are kept.
const maxNames = 8

// namelike finds words that are written like code: spans, paths, flags, identifiers,
// file names and packages.
var namelike = automata.New("`[^`]+`|@[\\w-]+/[\\w-]+|[\\w*-]*[./*][\\w./*-]*[\\w/*]|[\\w-]+/|(?:^|\\s)--?[A-Za-z][\\w-]+|\\w+(?:_\\w+)+|[a-z]+[A-Z]\\w*|[A-Z][a-z0-9]+[A-Z]\\w*|\\w+\\(\\)")

// namesIn returns the words of a text that are written like code, and known tools.
func namesIn(text string) []string {
	var names []string
	add := func(name string) {
		if name = strings.Trim(name, "`'\" ()"); name != "" && len(names) < maxNames && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range namelike.FindAllString(text, 2*maxNames) {
		add(name)
	}
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return r >= utf8.RuneSelf || strings.ContainsRune(" \t,;:!?()\"'`", r) }) {
		if w = strings.TrimRight(w, "."); tools()[strings.ToLower(w)] {
			add(w)
		}
	}
	return names
}

// tools are programs, packages and formats that are known by their names.
var tools = sync.OnceValue(func() map[string]bool {
	const all = `ansible asdf axios bazel biome bun bundler cargo clang clippy cmake composer cypress cucumber dayjs deno django docker docker-compose dotnet drizzle elasticsearch esbuild eslint fastapi flake8 flask gcc gh git github gitlab glab gofmt goimports golangci-lint ` +
		`gradle graphql grep grpc helm husky javac jest jq jquery kafka knex kotlin kubectl kubernetes lerna lodash logback logrus luxon maven mise mocha mongodb mongoose mvn mypy mysql nextjs nginx node npm npx nvm nx openapi pdm perl php pip pipenv pipx playwright pnpm podman postgres postgresql ` +
		`powershell prettier prisma puppeteer pyenv pylint pyright pytest python python3 react redis redux requests rg rollup rspec rubocop ruby ruff rustc rustfmt rxjs sbt sequelize slog sqlalchemy sqlite sqlite3 stylelint svelte svn swc tailwind terraform testify tsc tslint tsup tsx turborepo typeorm unittest uv vite vitest vue webpack yarn css csv graphql grpc html json jwt oauth orm protobuf rest soap sql sqlc ssr toml utc utf-8 uuid xml yaml zap zerolog zod zsh bash`
	known := map[string]bool{}
	for name := range strings.FieldsSeq(all) {
		known[name] = true
	}
	return known
})

// against returns the names that a rule turns down.
func (l *language) against(rule string) []string {
	m := l.not.FindStringSubmatch(rule)
	if m == nil {
		return nil
	}
	down := m[1]
	if i := strings.IndexAny(down, ",;.("); i > 0 && !strings.HasPrefix(down[i:], ".") {
		down = down[:i]
	}
	return namesIn(down)
}

// fileName finds what is written like a path, a file or a kind of file.
var fileName = automata.New("[\\w*.@-]*/[\\w./*@-]*|\\*?\\.[A-Za-z]\\w{0,5}\\b|[\\w*-]+\\.[A-Za-z]\\w{0,5}\\b")

// pathsFor returns globs of the files for which a rule holds.
func (l *language) pathsFor(rule string) []string {
	m := l.touch.FindStringSubmatch(rule)
	if m == nil {
		return nil
	}
	files := firstOf(m[1:])
	if len(files) > 80 {
		return nil
	}
	var globs []string
	for _, name := range fileName.FindAllString(files, maxNames) {
		globs = append(globs, globOf(name))
	}
	if len(globs) > 0 {
		return globs
	}
	for w := range wordsOf(files) {
		if !l.common[w] && utf8.RuneCountInString(w) > 2 && isASCII(w) {
			// A kind of file is known by a folder or a part of its name.
			return []string{"**/" + w + "/**", "**/*" + strings.TrimSuffix(w, "s") + "*"}
		}
	}
	return nil
}

func globOf(name string) string {
	name = strings.TrimPrefix(name, "./")
	switch {
	case strings.HasPrefix(name, "."):
		return "**/*" + name
	case strings.HasSuffix(name, "/"):
		return name + "**"
	case strings.Contains(name, "/"):
		if last := name[strings.LastIndexByte(name, '/'):]; !strings.ContainsAny(last, ".*") {
			return name + "/**"
		}
		return name
	}
	return "**/" + name
}

func firstOf(texts []string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func firstRune(s string) (rune, int) { return utf8.DecodeRuneInString(s) }
