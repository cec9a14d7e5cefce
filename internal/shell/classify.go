package shell

import (
	"path"
	"slices"
	"strings"
)

// subDepth says how many of a program's first words choose what it does.
var subDepth = map[string]int{
	"git": 1, "gh": 2, "glab": 2, "go": 1, "npm": 1, "pnpm": 1, "yarn": 1, "bun": 1, "cargo": 1, "rustup": 1, "docker": 1,
	"docker-compose": 1, "podman": 1, "kubectl": 1, "helm": 1, "pip": 1, "pip3": 1, "uv": 1, "poetry": 1, "pipenv": 1,
	"brew": 1, "apt": 1, "apt-get": 1, "dnf": 1, "yum": 1, "apk": 1, "systemctl": 1, "terraform": 1, "tofu": 1, "pulumi": 1,
	"aws": 2, "gcloud": 2, "az": 2, "make": 1, "mise": 1, "just": 1, "bundle": 1, "rails": 1, "rake": 1, "mix": 1, "dotnet": 1,
	"golangci-lint": 1, "deno": 1, "nx": 1, "turbo": 1, "claude": 1, "wrangler": 1, "jj": 1, "hg": 1, "swift": 1, "flutter": 1,
	"conda": 1, "gradle": 1, "gradlew": 1, "mvn": 1, "composer": 1, "php": 0, "vercel": 1, "fly": 1, "heroku": 1, "tmux": 1,
	"alembic": 1, "prisma": 2, "lessons": 1, "gem": 1, "pre-commit": 1, "nix": 1, "lerna": 1, "rush": 1, "bazel": 1, "buck2": 1,
}

// deeper are a program's sub-commands whose next word chooses too.
var deeper = map[string][]string{
	"npm": {"run"}, "pnpm": {"run"}, "yarn": {"run"}, "bun": {"run"}, "mise": {"run"}, "go": {"mod", "tool", "work"},
	"docker": {"compose", "container", "image", "volume"}, "git": {"remote", "stash", "worktree", "submodule", "bisect"},
	"uv": {"pip", "tool"}, "terraform": {"state", "workspace"}, "cargo": {"nextest"}, "kubectl": {"config", "rollout"},
	"helm": {"repo"}, "poetry": {"env"}, "dotnet": {"tool"},
}

// globalValues are flags before the sub-command that take the next word.
const globalValues = "-C -c -n -f --git-dir --work-tree --namespace -R --repo --prefix --cwd --directory --project --context --kubeconfig --profile --region --filter -F --manifest-path"

// composeValues are flags between "docker compose" and its sub-command that
// take the next word.
const composeValues = "-f -p --file --project-name --env-file --profile --project-directory"

// takesText says whether the word behind a flag is a text that people wrote.
func takesText(program, flag string) bool {
	switch program {
	case "git", "hg", "jj", "svn":
		return flag == "-m" || flag == "-am" || flag == "--message"
	case "gh", "glab":
		return flag == "--title" || flag == "--body" || flag == "--message" || flag == "--notes"
	}
	return false
}

// HasSubcommands says whether the first words of a program choose what it does.
func HasSubcommands(program string) bool { return subDepth[program] > 0 }

func programName(written string) string {
	if strings.IndexByte(written, '/') < 0 && strings.IndexByte(written, '\\') < 0 && !strings.HasSuffix(written, "e") && !strings.HasSuffix(written, "E") && written != "" {
		return written // as nearly all
	}
	name := path.Base(strings.ReplaceAll(written, `\`, "/"))
	if base, ok := strings.CutSuffix(strings.ToLower(name), ".exe"); ok {
		return base
	}
	return name
}

// classify sorts the words into program, of which the name is given, sub-command,
// flags and operands.
func (c *Command) classify(name string, ws []word) {
	c.Path, c.Program = ws[0].text, name
	depth := subDepth[c.Program]
	onlyOperands := false
	flags := countFlags(ws[1:])
	if flags > 0 {
		c.Flags = make([]Flag, 0, flags)
	}
	var others []string // the sub-command and the operands behind it
	if flags < len(ws)-1 {
		others = make([]string, 0, len(ws)-1-flags)
	}
	operand := func(text string) {
		others = append(others, text)
		c.Operands = others[len(c.Sub):]
	}
	for i := 1; i < len(ws); i++ {
		w := ws[i]
		c.Dynamic = c.Dynamic || w.dynamic
		switch {
		case w.text == "":
		case w.text == "--" && !onlyOperands:
			onlyOperands = true
		case !onlyOperands && len(w.text) > 1 && w.text[0] == '-':
			var next string
			if i+1 < len(ws) && !ws[i+1].dynamic && !strings.HasPrefix(ws[i+1].text, "-") {
				next = ws[i+1].text
			}
			c.Flags = append(c.Flags, flag(w, next))
			switch {
			case i+1 == len(ws):
			case len(c.Sub) == 0 && depth > 0 && takesNext(globalValues, w.text), len(c.Sub) == 1 && c.Sub[0] == "compose" && takesNext(composeValues, w.text):
				i++
			case takesText(c.Program, w.text): // a message, whatever it begins with
				i++
				c.Dynamic = c.Dynamic || ws[i].dynamic
				if !ws[i].dynamic {
					c.Flags[len(c.Flags)-1].Next = ws[i].text
					operand(ws[i].text)
				}
			case c.Program == "git" && len(c.Sub) > 0:
				depth = len(c.Sub) // behind a flag there are operands
			}
		case w.dynamic:
			if len(c.Operands) == 0 {
				depth = len(c.Sub)
			}
		case !onlyOperands && len(c.Sub) < depth && len(c.Operands) == 0 && isBareWord(w.text):
			others = append(others, w.text)
			c.Sub = others[:len(others):len(others)]
			if len(c.Sub) == 1 && slices.Contains(deeper[c.Program], w.text) {
				depth = len(c.Sub) + 1
			}
		default:
			operand(w.text)
		}
	}
}

// countFlags returns how many of the words look like flags.
func countFlags(ws []word) int {
	n := 0
	for i := range ws {
		if strings.HasPrefix(ws[i].text, "-") {
			n++
		}
	}
	return n
}

func flag(w word, next string) Flag {
	name, value, has := strings.Cut(w.text, "=")
	if w.dynamic {
		return Flag{Name: name, HasValue: has, Next: next}
	}
	return Flag{Name: name, Value: value, HasValue: has, Next: next}
}

// isBareWord says whether a word can be a sub-command's name.
func isBareWord(w string) bool {
	if w == "" || len(w) > 40 || w[0] < 'a' || w[0] > 'z' {
		return false
	}
	for _, r := range w {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != ':' {
			return false
		}
	}
	return true
}
